/** One mistake in a reply, or in any value that breaks its schema. */
export interface Fault {
  /** `key_levels[].evidence` if all items of the list share it, `key_levels[2].type` if one has it; `$` for the whole. */
  path: string;
  /** What is wrong there, as the end of a sentence about it: `is missing`, `must be number`. */
  reason: string;
}

export const WHOLE_REPLY = '$';

export function describeFault({ path, reason }: Fault): string {
  return `${path === WHOLE_REPLY ? 'the reply' : path} ${reason}`;
}

/** The question that a respawn or a repair is sent with (docs/protocol.md, 4.3). */
export function clarifyingQuestion(faults: readonly Fault[]): string {
  const shown = faults.slice(0, MOST_ASKED).map(describeFault);
  const more = faults.length > shown.length ? [`${faults.length - shown.length} more`] : [];
  return `Your report cannot be used: ${[...shown, ...more].join('; ')}. Send the whole report again, complete.`;
}

const MOST_ASKED = 10;

/** Faults that came as data: of a failure's details, which an activity made. */
export function readFaults(value: unknown): Fault[] {
  return Array.isArray(value) ? value.filter(isFault) : [];
}

function isFault(value: unknown): value is Fault {
  if (typeof value !== 'object' || value === null || !('path' in value) || !('reason' in value)) return false;
  return typeof value.path === 'string' && typeof value.reason === 'string';
}
