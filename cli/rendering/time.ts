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

/** Between two ISO times; to `now` where it has not ended, nothing where it has not begun. */
export function elapsed(from: string | undefined, to: string | undefined, now: number): string {
  if (from === undefined) return '';
  const end = to === undefined ? now : Date.parse(to);
  return duration(end - Date.parse(from));
}

/** `2026-11-21 07:30:05`, in the zone of whoever looks. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock(iso)}`;
}

/** `07:30:05` */
export function clock(iso: string): string {
  const at = new Date(iso);
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
