/** A place where a worker is stopped (SIGSTOP) until it continues. */
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
