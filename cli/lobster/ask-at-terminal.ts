import type { GateForm, GateKind } from '../../plan/people/gate';
import type { Json } from '../../plan/text/json';
import { jsonIn } from '../../plan/text/json-text';
import type { Terminal } from '../terminal';
import { whyNot } from './answer-check';
import type { LobsterAnswer } from './arguments';
import { runtimeError } from './exit';

/** Whether somebody can be asked here: as with Lobster, if the input is a terminal. */
export function canAsk({ stdin }: Pick<Terminal, 'stdin'>): boolean {
  return 'isTTY' in stdin && stdin.isTTY === true;
}

/**
 * Puts a gate's question at the terminal, as Lobster does in human mode. Anything but a yes means no. A stage that asks (`freely`) also
 * takes plain text: verbatim or as a decision, whichever its schema accepts.
 */
export async function askAtTerminal(
  terminal: Terminal,
  kind: GateKind,
  form: GateForm,
  freely = false,
): Promise<Exclude<LobsterAnswer, { kind: 'cancel' }>> {
  if (kind !== 'input') {
    terminal.out(`${form.prompt} [y/N] `);
    return /^y(?:es)?$/i.test((await readLine(terminal)).trim()) ? { kind: 'approve' } : { kind: 'reject' };
  }
  if (freely) {
    terminal.out(`${form.prompt}\n> `);
    return { kind: 'respond', response: freeResponse((await readLine(terminal)).trim(), form) };
  }
  terminal.out(`${form.prompt}\nEnter JSON response: `);
  return { kind: 'respond', response: parseResponse((await readLine(terminal)).trim()) };
}

function freeResponse(text: string, { responseSchema }: GateForm): Json {
  const read = jsonIn(text);
  const said = read === undefined ? text : read;
  const meant: Json[] = typeof said === 'string' ? [said, { decision: said }] : [said];
  return meant.find((response) => responseSchema === undefined || whyNot(response, responseSchema) === undefined) ?? said;
}

function parseResponse(text: string): Json {
  const response = jsonIn(text);
  if (response === undefined) throw runtimeError('Input response must be valid JSON');
  return response;
}

/** Input typed beyond the requested line, for the next question. */
const unread = new WeakMap<NodeJS.ReadableStream, string>();

/** Reads one line, or a partial one if the input ends first. `LOBSTER_APPROVAL_INPUT_TIMEOUT_MS` limits how long it waits. */
function readLine({ stdin, env, interrupted }: Terminal): Promise<string> {
  const limitMs = Math.floor(Number(env['LOBSTER_APPROVAL_INPUT_TIMEOUT_MS']));
  return new Promise((resolve, reject) => {
    let text = unread.get(stdin) ?? '';
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      stdin.off('data', onData).off('end', onEnd);
      interrupted.removeEventListener('abort', onEnd);
      stdin.pause();
      settle();
    };
    const takeLine = (): boolean => {
      const at = text.indexOf('\n');
      if (at < 0) return false;
      unread.set(stdin, text.slice(at + 1));
      end(() => resolve(text.slice(0, at)));
      return true;
    };
    const onData = (chunk: unknown): void => {
      text += String(chunk);
      takeLine();
    };
    const onEnd = (): void => end(() => resolve(text));
    const onLate = (): void => end(() => reject(runtimeError(`Timed out waiting for input (${limitMs}ms)`)));
    const timer = limitMs > 0 ? setTimeout(onLate, limitMs) : undefined;
    if (takeLine()) return;
    if (!stdin.readable || interrupted.aborted) return onEnd();
    stdin.on('data', onData).on('end', onEnd).resume();
    interrupted.addEventListener('abort', onEnd, { once: true });
  });
}
