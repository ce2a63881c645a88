const DURATION = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration as people write it: `500ms`, `30s`, `15m`, `3h`, `2d`; undefined where it is none. */
export function durationMs(text: string): number | undefined {
  const match = DURATION.exec(text.trim());
  const ms = match && Math.round(Number(match[1]) * (UNITS[match[2] ?? ''] ?? Number.NaN));
  return ms === null || Number.isNaN(ms) ? undefined : ms;
}
