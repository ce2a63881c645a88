/**
 * Repeatable chance: a roll depends on its keys alone, never on earlier rolls. A step can be removed from a pipeline without any change for
 * the others, so a failing case can be made smaller.
 */
export interface Dice {
  /** From 0 up to, not including, 1. */
  roll(): number;
  /** From `least` to `most`, both included. */
  whole(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  pickAny<T>(from: readonly T[]): T | undefined;
  some<T>(from: readonly T[], probability: number): T[];
}

export function dice(...keys: readonly (string | number)[]): Dice {
  let state = digest(keys.join('\u0000'));
  function roll(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const whole = (least: number, most: number): number => least + Math.floor(roll() * (most - least + 1));
  return {
    roll,
    whole,
    chance: (probability) => roll() < probability,
    pick: (from) => from[whole(0, from.length - 1)] ?? from[0],
    pickAny: (from) => from[whole(0, from.length - 1)],
    some: (from, probability) => from.filter(() => roll() < probability),
  };
}

/** FNV-1a over the text's characters. */
function digest(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
