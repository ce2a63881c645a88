/** The candidate that a writer most likely meant: the nearest by edits, none if all are far. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase().slice(0, 80);
  // Any two letters are one edit apart.
  if (wanted.length < 2) return undefined;
  let best: string | undefined;
  let within = Math.max(1, Math.floor(wanted.length / 3));
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) > within) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), within);
    if (distance > within) continue;
    best = candidate;
    if (distance <= 1) break;
    within = distance - 1;
  }
  return best;
}

/** `did you mean "x"?`, followed by `otherwise`; only `otherwise` if nothing is near. */
export function didYouMean(word: string, candidates: Iterable<string>, otherwise?: string): string | undefined {
  const found = nearest(word, candidates);
  if (found === undefined) return otherwise;
  return otherwise === undefined ? `did you mean "${found}"?` : `did you mean "${found}"? ${otherwise}`;
}

/** How many insertions, deletions, replacements and swaps of neighbours turn one word into the other; above `limit` any number. */
function editDistance(a: string, b: string, limit = a.length + b.length): number {
  let older: number[] = [];
  let old = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let leastOfRow = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((old[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (old[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, (older[j - 2] ?? 0) + 1);
      row.push(least);
      leastOfRow = Math.min(leastOfRow, least);
    }
    // A swap reaches back two rows, and costs one.
    if (leastOfRow > limit + 1) return leastOfRow;
    older = old;
    old = row;
  }
  return old[b.length] ?? 0;
}
