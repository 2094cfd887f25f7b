/** The environment of the scripts of a task run. The agent is told neither. */
export function taskEnvironment(
  environment: NodeJS.ProcessEnv,
  taskName: string,
  workdir: string,
): NodeJS.ProcessEnv {
  return { ...environment, PROCTOR_TASK_NAME: taskName, PROCTOR_WORKDIR: workdir };
}
