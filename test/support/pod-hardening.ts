import type { Container, PodSpec } from './kubernetes-manifests.js';

/** What a pod that runs agents must not go without, and this one does. */
export function missingHardening({
  automountServiceAccountToken,
  securityContext = {},
  containers,
}: PodSpec): string[] {
  const isConfined = JSON.stringify(securityContext.seccompProfile) === '{"type":"RuntimeDefault"}';
  return [
    ...(automountServiceAccountToken === false ? [] : ['it has a token of the cluster']),
    ...(securityContext.runAsNonRoot === true ? [] : ['it may run as root']),
    ...(isConfined ? [] : ['any system call is allowed']),
    ...containers.flatMap((container) =>
      missingOfContainer(container).map((problem) => `${container.name}: ${problem}`),
    ),
  ];
}

function missingOfContainer({ securityContext = {}, resources }: Container): string[] {
  const limits = Object.keys(resources.limits ?? {});
  const hasDropped = JSON.stringify(securityContext.capabilities) === '{"drop":["ALL"]}';
  return [
    ...(securityContext.allowPrivilegeEscalation === false ? [] : ['it may get more rights']),
    ...(securityContext.readOnlyRootFilesystem === true ? [] : ['it can change its image']),
    ...(hasDropped ? [] : ['it has capabilities']),
    ...['cpu', 'memory'].filter((name) => !limits.includes(name)).map((name) => `no ${name} limit`),
  ];
}
