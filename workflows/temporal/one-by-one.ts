/**
 * Starts the next when the one before is over. Of two parallel local activities each result comes by itself while the run is live, but both
 * together on replay, where their continuations may run in another order.
 */
export function oneByOne(): <T>(start: () => Promise<T>) => Promise<T> {
  let last: Promise<void> | undefined;
  return (start) => {
    const turn = last ? last.then(start) : start();
    const over = turn.then(end, end);
    function end(): void {
      if (last === over) last = undefined;
    }
    last = over;
    return turn;
  };
}
