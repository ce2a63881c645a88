import type { ReadMessages, ReadMessagesInput, RunMessage, SendMessagesInput } from '../../plan/run/run-messages';
import { isJsonObject, type Json } from '../../plan/text/json';
import type { Ledger, RunKey } from '../../records/ledger';
import { asJson } from '../../records/stored-json';

/** A payload over 2 MiB wedges a run forever. In characters of JSON, each of which takes up to three bytes. */
const PAGE_CHARACTERS = 400_000;

/** May run twice: readers count a repeated line once. */
export async function sendMessages({ ledger }: { ledger: Ledger }, key: RunKey, { to, said }: SendMessagesInput): Promise<void> {
  for (const line of said) await ledger.append(key, logTo(to), asJson(line));
}

export async function readMessages({ ledger }: { ledger: Ledger }, key: RunKey, { from, after }: ReadMessagesInput): Promise<ReadMessages> {
  const lines = await ledger.lines(from, logTo(key.workflowId));
  const says: Json[] = [];
  let characters = 0;
  for (const [index, line] of counted(lines).entries()) {
    if (index < after || line?.for !== key.run) continue;
    characters += JSON.stringify(line.says).length;
    if (says.length > 0 && characters > PAGE_CHARACTERS) return { says, next: index, more: true };
    says.push(line.says);
  }
  return { says, next: Math.max(after, lines.length) };
}

/** All messages to a run so far. */
export async function messagesTo(ledger: Ledger, from: RunKey, to: RunKey): Promise<Json[]> {
  const lines = counted(await ledger.lines(from, logTo(to.workflowId)));
  return lines.flatMap((line) => (line?.for === to.run ? [line.says] : []));
}

/** The last message to a run before it had started. */
export async function messagesBeforeStart(ledger: Ledger, from: RunKey, to: string): Promise<Json | undefined> {
  const lines = counted(await ledger.lines(from, logTo(to)));
  return lines.findLast((line) => line !== undefined && line.for === undefined)?.says;
}

function logTo(workflowId: string): string {
  return `to/${workflowId}`;
}

/**
 * The lines in their places, without those that do not count: a worker that dies after it has written a line writes it again, and one that
 * was stopped for a while may write its own after those of the worker that took over.
 */
function counted(lines: readonly Json[]): (RunMessage | undefined)[] {
  const last = new Map<string, { n: number; text: string }>();
  return lines.map((line) => {
    if (!isSaid(line)) return undefined;
    const before = last.get(line.by);
    const text = JSON.stringify(line);
    if (before && (line.n < before.n || text === before.text)) return undefined;
    last.set(line.by, { n: line.n, text });
    return line;
  });
}

function isSaid(line: unknown): line is RunMessage {
  return isJsonObject(line) && typeof line['by'] === 'string' && typeof line['n'] === 'number' && line['says'] !== undefined;
}
