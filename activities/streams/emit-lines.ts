import { ThermidorFailure } from '../../plan/run/failure';
import { ITEM_MARK } from '../../plan/steps/stream';
import { withoutMark } from '../../plan/text/lines';
import { beginning } from '../../plan/text/shortened';
import { parseUntrustedJson } from '../../plan/text/untrusted-json';
import type { ActivityCall } from '../activity-call';
import { REAL_TIMER, unlessAborted } from '../deadline';
import type { OnLines } from '../ports';
import type { RunSecrets } from '../run/run-secrets';
import type { Toolbox } from '../toolbox';
import { checkItems } from './check-items';
import { wakeForItems } from './open-stream';
import { recordItems } from './record-items';
import { isFull, roomIn } from './room';
import type { OpenStream, SaidItem } from './stream-types';

const FIRST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 400;
/** The limit of a line in a message. */
const SHOWN_CHARACTERS = 200;
/** How many lines' items are checked and stored in parallel: each is an open file for a moment. */
const MOST_AT_ONCE = 100;

interface MarkedLine {
  text: string;
  /** The line's number, from 1, in everything that the command has printed. */
  line: number;
}

/**
 * Reads the lines that a command prints, in order, and records the marked ones, as many at once as there is room for: while there is none
 * the command is not read any further.
 *
 * Fails with `stream.bad-item`, once all items before that line are recorded; `stream.too-many-items`, `store.unavailable`.
 */
export function emitLines(toolbox: Toolbox, call: ActivityCall, stream: OpenStream, secrets: RunSecrets): OnLines {
  let printed = 0;
  return async (lines, signal) => {
    let isNews = false;
    const marked = lines
      .map((text, at) => ({ text: printed + at === 0 ? withoutMark(text) : text, line: printed + at + 1 }))
      .filter(({ text }) => text.startsWith(ITEM_MARK));
    printed += lines.length;
    for (let from = 0; from < marked.length; from += MOST_AT_ONCE) {
      const some = marked.slice(from, from + MOST_AT_ONCE);
      const { items, problem } = await itemsOf(toolbox, call, stream, secrets, some);
      for (let recorded = 0; recorded < items.length; ) {
        const room = await roomIn(toolbox, stream);
        if (room === 0) {
          await untilRoom(toolbox, call, signal, stream);
          isNews = false;
          continue;
        }
        await recordItems(toolbox, stream, items.slice(recorded, recorded + room));
        recorded += room;
        isNews = true;
      }
      const refused = some[items.length];
      if (problem !== undefined && refused) throw badItem(stream, secrets, refused, problem);
    }
    if (isNews) await wakeForItems(toolbox, call, stream);
  };
}

/** The items of the lines before the first invalid one, and its problem. */
async function itemsOf(toolbox: Toolbox, call: ActivityCall, stream: OpenStream, secrets: RunSecrets, lines: readonly MarkedLine[]) {
  const said: SaidItem[] = [];
  for (const { text, line } of lines) {
    const value = parseUntrustedJson(text.slice(ITEM_MARK.length));
    if (value === undefined) return { problem: 'it is not JSON', ...(await checkItems(toolbox, stream, said)) };
    said.push({ id: `${call.id}/line-${line}`, from: { call: call.id }, value: secrets.maskJson(value) });
  }
  return await checkItems(toolbox, stream, said);
}

function badItem({ step, spec }: OpenStream, secrets: RunSecrets, { text, line }: MarkedLine, problem: string): ThermidorFailure {
  const shown = beginning(secrets.mask(text), SHOWN_CHARACTERS);
  const message = `line ${line} of what step "${step}" printed is not a valid ${spec.name}: ${problem}`;
  return new ThermidorFailure('stream.bad-item', message, { step, line, text: shown });
}

/**
 * Waits until the run has taken enough items, which it notes in the ledger: nothing else reaches a running command. If the run could not be
 * woken, or if the attempt that has recorded the waiting items has died, nothing else makes it look: so it is woken until it has answered.
 */
async function untilRoom(toolbox: Toolbox, call: ActivityCall, signal: AbortSignal, stream: OpenStream): Promise<void> {
  const { timer = REAL_TIMER } = toolbox;
  let isWoken = false;
  for (let waitMs = FIRST_LOOK_MS; await isFull(toolbox, stream); waitMs = Math.min(2 * waitMs, LONGEST_LOOK_MS)) {
    isWoken = isWoken || (await wakeForItems(toolbox, call, stream));
    await unlessAborted(signal, new Promise<void>((resolve) => void timer(waitMs, resolve)));
  }
}

/** A command's output without its items. */
export function withoutItems(stdout: string): string {
  if (!stdout.includes(ITEM_MARK)) return stdout;
  return withoutMark(stdout)
    .split('\n')
    .filter((line) => !line.startsWith(ITEM_MARK))
    .join('\n');
}
