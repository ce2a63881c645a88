/** Merges several sorted lists into one, in batches. */
export function* inOrder(runs: readonly (readonly string[])[], most: number): Generator<string[]> {
  const taken = runs.map(() => 0);
  for (let batch: string[] = []; ; batch = []) {
    while (batch.length < most) {
      const [name, run] = firstOf(runs, taken);
      if (name === undefined) break;
      batch.push(name);
      taken[run] = (taken[run] ?? 0) + 1;
    }
    if (batch.length === 0) return;
    yield batch;
  }
}

function firstOf(runs: readonly (readonly string[])[], taken: readonly number[]): [name: string | undefined, run: number] {
  let [first, from]: [string | undefined, number] = [undefined, -1];
  for (const [run, names] of runs.entries()) {
    const name = names[taken[run] ?? 0];
    if (name === undefined || (first !== undefined && first <= name)) continue;
    [first, from] = [name, run];
  }
  return [first, from];
}
