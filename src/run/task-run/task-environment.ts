/** What the agent and the scripts of a task run find besides what they inherit. */
export function taskEnvironment(
  environment: NodeJS.ProcessEnv,
  taskName: string,
  workdir: string,
): NodeJS.ProcessEnv {
  return { ...environment, PROCTOR_TASK_NAME: taskName, PROCTOR_WORKDIR: workdir };
}
