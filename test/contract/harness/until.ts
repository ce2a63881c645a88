/** Looks after each turn of the event loop until it is so. What never comes is the test's own timeout. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((look) => setTimeout(look, 1));
}
