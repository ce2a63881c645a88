/** Looks after each turn of the event loop until the condition holds. If it never does, the test's own time-out ends it. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(setImmediate);
}
