import { createInterface } from 'node:readline';
import type { GateForm, GateKind } from '../../plan/gate';
import type { Json } from '../../plan/json';
import type { Terminal } from '../terminal';
import type { Answer } from './arguments';
import { runtimeError } from './exit';

/** Puts a gate's question at the terminal, as Lobster does in human mode. A person who does not say yes says no. */
export async function askAtTerminal(terminal: Terminal, kind: GateKind, form: GateForm): Promise<Exclude<Answer, { kind: 'cancel' }>> {
  if (kind !== 'input') {
    terminal.out(`${form.prompt} [y/N] `);
    return /^y(?:es)?$/i.test((await readLine(terminal)).trim()) ? { kind: 'approve' } : { kind: 'reject' };
  }
  terminal.out(`${form.prompt}\nEnter JSON response: `);
  return { kind: 'respond', response: parseResponse((await readLine(terminal)).trim()) };
}

function parseResponse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw runtimeError('Input response must be valid JSON');
  }
}

/** One line; what there is of it where the input ends first. `LOBSTER_APPROVAL_INPUT_TIMEOUT_MS` limits how long it waits. */
function readLine({ stdin, env, interrupted }: Terminal): Promise<string> {
  const limitMs = Math.floor(Number(env['LOBSTER_APPROVAL_INPUT_TIMEOUT_MS']));
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: stdin, terminal: false });
    const timer =
      limitMs > 0 ? setTimeout(() => end(() => reject(runtimeError(`Timed out waiting for input (${limitMs}ms)`))), limitMs) : undefined;
    const onInterrupt = (): void => end(() => resolve(''));
    let over = false;
    const end = (settle: () => void): void => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      interrupted.removeEventListener('abort', onInterrupt);
      settle();
      lines.close();
    };
    lines.once('line', (line) => end(() => resolve(line)));
    lines.once('close', () => end(() => resolve('')));
    interrupted.addEventListener('abort', onInterrupt, { once: true });
  });
}
