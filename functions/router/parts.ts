/** Task ids in one invocation: far below the size that an asynchronous invocation may have. */
const TASKS_AN_INVOCATION = 1000;

/** @returns targets in parts that one invocation can take, each whole. */
export function parts<Named extends { readonly tasks: readonly string[] }>(targets: readonly Named[]): Named[][] {
  const found: Named[][] = [];
  let part: Named[] = [];
  let tasks = 0;
  for (const target of targets) {
    if (part.length > 0 && tasks + target.tasks.length > TASKS_AN_INVOCATION) {
      found.push(part);
      part = [];
      tasks = 0;
    }
    part.push(target);
    tasks += target.tasks.length;
  }
  return part.length > 0 ? [...found, part] : found;
}
