/** The states of a brief's coordinator, and what the journal tells of it. */
export const COORDINATOR_WORDS = [
  'init',
  'plan',
  'dispatch',
  'execute',
  'review_step',
  'retry',
  'next_subtask',
  'block',
  'escalate',
  'complete',
] as const;
export type CoordinatorWord = (typeof COORDINATOR_WORDS)[number];

/** 0: confirm, 1: execute, 2: blocked, 3: destructive action, 4: report. */
export type Phase = 0 | 1 | 2 | 3 | 4;

export type BriefNote =
  | { event: 'entered'; state: CoordinatorWord; phase: Phase; subtask?: string; reason?: string }
  /** The run has confirmed the plan, or a sub-task, because nobody is to be asked. What a person confirms is a decision. */
  | { event: 'confirmed'; phase: 0; subtask?: string }
  | { event: 'skipped'; subtask: string; reason: string }
  /** What a detector has found in the reply of a role, and does not stop it. */
  | { event: 'noticed'; role: string; subtask?: string; reason: string };

/** A note in words. */
export function briefNoteWords(note: BriefNote): (string | undefined)[] {
  switch (note.event) {
    case 'entered':
      return [note.state, `phase ${note.phase}`, note.subtask, note.reason];
    case 'confirmed':
      return ['confirmed', `phase ${note.phase}`, note.subtask ?? 'the plan', 'by the run'];
    case 'skipped':
      return ['skipped', note.subtask, note.reason];
    case 'noticed':
      return ['noticed', note.role, note.subtask, note.reason];
  }
}
