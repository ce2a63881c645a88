import { stripVTControlCharacters } from 'node:util';
import { visibleText } from '../../plan/text/visible-text';
import type { ActivityCall } from '../activity-call';
import type { Signature } from '../git-model';
import type { Toolbox } from '../toolbox';

const AUTHOR = { name: 'Thermidor', email: 'thermidor@localhost' } as const;

/**
 * A text of people or agents as one line of a message: it cannot begin a line of its own, or control a terminal on which the log is read.
 */
export function messageLine(text: string): string {
  return visibleText(stripVTControlCharacters(text), ' ').replace(/\s+/g, ' ').trim();
}

/** A commit of the engine for a step, naming its run. */
export function signedCommit(
  { nowMs = Date.now }: Pick<Toolbox, 'nowMs'>,
  { key }: Pick<ActivityCall, 'key'>,
  subject: string,
): { message: string; signature: Signature } {
  return { message: `${messageLine(subject)}\n\nThermidor-Run: ${messageLine(key.workflowId)}\n`, signature: { ...AUTHOR, atMs: nowMs() } };
}
