/** A place in the code at which a worker stops, as after SIGSTOP, until the test lets it continue. */
export function stop(): { here(): Promise<void>; reached: Promise<void>; goOn(): void } {
  let [reach, goOn]: (() => void)[] = [() => undefined, () => undefined];
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const going = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  return {
    reached,
    goOn: () => goOn?.(),
    here() {
      reach?.();
      return going;
    },
  };
}
