/** Looks after each turn of the event loop until the condition holds. If it never does, the test's own time-out ends it. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((look) => setTimeout(look, 1));
}
