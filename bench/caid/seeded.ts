/** Numbers in [0, 1) that are the same for the same seed and name, for every caller and in any order (FNV-1a, then murmur's last mix). */
export function seeded(seed: number, name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${seed}:${name}`)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** A whole number of milliseconds from `least` to `most`. */
export function seededMs(seed: number, name: string, [least, most]: readonly [number, number]): number {
  return least + Math.floor(seeded(seed, name) * (most - least + 1));
}
