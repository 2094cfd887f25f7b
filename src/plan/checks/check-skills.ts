import { isAbsolute, join } from 'node:path';
import { didYouMean } from '../../base/nearest.js';
import { findBuiltin, getBuiltinFacts, getKindFacts } from '../../config/agent-kinds.js';
import type { PlacedAssertions } from '../../config/files/assertion-items.js';
import { getSkillMountPath, type Skill } from '../../config/files/skills.js';
import type { Problems } from '../../config/problems/problem.js';
import type { AgentReference } from '../../config/schemas/eval-schema.js';
import type { Suite } from '../suite.js';

/** Skills must have a place where the agent finds them, and assertions must name those there are. */
export function checkSkills(suite: Suite, problems: Problems): void {
  checkMountPath(suite, problems);
  const taskAssertions = suite.tasks.flatMap(({ definition }) => definition.assertions);
  const isObservable = canObserveSkills(suite);
  for (const assertions of [...suite.setAssertions, ...taskAssertions]) {
    if (!isObservable) reportUnobservable(assertions, problems);
    if (suite.skills) checkNames(assertions, suite.skills, problems);
  }
}

/** True also where it is not known which agent it is: that is reported elsewhere. */
function canObserveSkills({ agent, agentFile }: Suite): boolean {
  if (agentFile) return getKindFacts(agentFile.data).reportsSkills === true;
  return agent === undefined || agent.type === 'file' || getFacts(agent).reportsSkills === true;
}

function getFacts({ type }: AgentReference) {
  return getBuiltinFacts(findBuiltin(type));
}

const skillLists = ['skillsLoaded', 'skillsNotLoaded'] as const;

function reportUnobservable({ file, path, data }: PlacedAssertions, problems: Problems): void {
  for (const list of skillLists) {
    if (data[list] === undefined) continue;
    const outcome = list === 'skillsLoaded' ? 'could never hold' : 'would always hold';
    const message = `the agent does not report which skills it loads: ${list} ${outcome}`;
    const hint = 'only Claude Code and ACP agents report it';
    problems.atKey(file, [...path, list], 'skills-not-observable', message, hint);
  }
}

function checkMountPath(
  { eval: { source }, agent, agentFile, skills }: Suite,
  problems: Problems,
): void {
  const mountPath = agentFile && getSkillMountPath(agentFile.data);
  if (agentFile && mountPath !== undefined) {
    if (staysWithin(mountPath)) return;
    const message = `mountPath leads out of the working directory: ${JSON.stringify(mountPath)}`;
    const hint = 'write a relative path, such as .claude/skills';
    problems.atValue(agentFile.source, ['skills', 'mountPath'], 'invalid-value', message, hint);
    return;
  }
  if (!skills || agentFile?.source.isFaulty(['skills'])) return;
  const isUnknown = agent === undefined || (agent.type === 'file' && !agentFile);
  if (isUnknown || getFacts(agent).skillsFolder !== undefined) return;
  const message = 'it is not known where the agent looks for skills';
  const hint = agentFile
    ? `add skills.mountPath to ${agentFile.source.name}`
    : `${agent.type} takes no skills; use builtin.claude-code, or an Agent file with skills.mountPath`;
  problems.atKey(source, ['config', 'skills'], 'missing-mount-path', message, hint);
}

function staysWithin(mountPath: string): boolean {
  return !isAbsolute(mountPath) && !/^(?:~|\.\.)(?:\/|$)/.test(join(mountPath));
}

/** Exact names; a pattern beside one may match something else. */
function checkNames(
  { file, path, data }: PlacedAssertions,
  skills: readonly Skill[],
  problems: Problems,
): void {
  const names = skills.flatMap(({ name, ownName }) => (ownName ? [name, ownName] : [name]));
  const known = [...new Set(names)];
  for (const list of skillLists) {
    for (const [index, { skill, skillPattern }] of (data[list] ?? []).entries()) {
      const at = [...path, list, index, 'skill'];
      if (skill === undefined || skillPattern !== undefined || known.includes(skill)) continue;
      if (file.isFaulty(at)) continue;
      const isRequired = list === 'skillsLoaded';
      const message = `no source has the skill ${skill}${isRequired ? '' : ': nothing is forbidden'}`;
      const code = isRequired ? 'not-offered' : 'forbidden-not-offered';
      const hint = didYouMean(skill, known) ?? `there is ${known.join(', ')}`;
      problems.atValue(file, at, code, message, hint);
    }
  }
}
