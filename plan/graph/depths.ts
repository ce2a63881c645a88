/** The longest way from a beginning to each step, computed from its needs. There are no cycles, so the recursion ends. */
export function depthsOf(needs: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const depths = new Map<string, number>();
  const depth = (id: string): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    depths.set(id, 0);
    const found = Math.max(-1, ...(needs.get(id) ?? []).map(depth)) + 1;
    depths.set(id, found);
    return found;
  };
  for (const id of needs.keys()) depth(id);
  return depths;
}
