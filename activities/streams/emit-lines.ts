import { ThermidorFailure } from '../../plan/run/failure';
import { ITEM_MARK } from '../../plan/steps/stream';
import { parseUntrustedJson } from '../../plan/text/untrusted-json';
import type { ActivityCall } from '../activity-call';
import { REAL_TIMER, unlessAborted } from '../deadline';
import type { OnLines } from '../ports';
import type { RunSecrets } from '../run/run-secrets';
import type { Toolbox } from '../toolbox';
import { emitItem, isFull } from './emit-item';
import { wakeForItems } from './open-stream';
import type { OpenStream } from './stream-types';

const FIRST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 400;
/** Of a line, in a message. */
const SHOWN_CHARACTERS = 200;

/**
 * Takes the lines that a command prints, in order, and records those that are marked, each as soon as there is room for it: until then the command is not read
 * any further.
 *
 * Fails with `stream.bad-item`, `stream.too-many-items`, `store.unavailable`.
 */
export function emitLines(toolbox: Toolbox, call: ActivityCall, stream: OpenStream, secrets: RunSecrets): OnLines {
  let line = 0;
  return async (lines, signal) => {
    let isNews = false;
    const wake = async (): Promise<void> => {
      if (isNews) await wakeForItems(toolbox, call, stream);
      isNews = false;
    };
    for (const text of lines) {
      line += 1;
      if (!text.startsWith(ITEM_MARK)) continue;
      if (await isFull(toolbox, stream)) {
        await wake();
        await untilRoom(toolbox, signal, stream);
      }
      await emitLine(toolbox, call, stream, secrets, { text, line });
      isNews = true;
    }
    await wake();
  };
}

async function emitLine(
  toolbox: Toolbox,
  call: ActivityCall,
  stream: OpenStream,
  secrets: RunSecrets,
  { text, line }: { text: string; line: number },
): Promise<void> {
  const value = parseUntrustedJson(text.slice(ITEM_MARK.length));
  const who = { id: `${call.id}/line-${line}`, from: { call: call.id } };
  const emitted =
    value === undefined
      ? { kind: 'refused' as const, problem: 'it is no JSON' }
      : await emitItem(toolbox, stream, secrets.maskJson(value), who);
  if (emitted.kind !== 'refused') return;
  const shown = secrets.mask(text).slice(0, SHOWN_CHARACTERS);
  const message = `line ${line} of what step "${stream.step}" printed is no ${stream.spec.name}: ${emitted.problem}`;
  throw new ThermidorFailure('stream.bad-item', message, { step: stream.step, line, text: shown });
}

/** The run notes in the ledger how much it has taken up; nothing else reaches a command that is running. */
async function untilRoom({ timer = REAL_TIMER, ...toolbox }: Toolbox, signal: AbortSignal, stream: OpenStream): Promise<void> {
  for (let waitMs = FIRST_LOOK_MS; await isFull(toolbox, stream); waitMs = Math.min(2 * waitMs, LONGEST_LOOK_MS)) {
    await unlessAborted(signal, new Promise<void>((resolve) => void timer(waitMs, resolve)));
  }
}

/** What a command printed beside its items. */
export function withoutItems(stdout: string): string {
  if (!stdout.includes(ITEM_MARK)) return stdout;
  return stdout
    .split('\n')
    .filter((line) => !line.startsWith(ITEM_MARK))
    .join('\n');
}
