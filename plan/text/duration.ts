const DURATION = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration as people write it: `500ms`, `30s`, `15m`, `3h`, `2d`; undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const match = DURATION.exec(text.trim());
  const ms = match && Math.round(Number(match[1]) * (UNITS[match[2] ?? ''] ?? Number.NaN));
  return ms === null || Number.isNaN(ms) ? undefined : ms;
}

/** `0.4 s`, `12 s`, `3 min 05 s`, `2 h 07 min`, `3 d 4 h`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${two(Math.floor(seconds % 60))} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${two(minutes % 60)} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
