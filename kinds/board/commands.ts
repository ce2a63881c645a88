import { BOARD, LEAD, SHORT_CHARACTERS } from '../../plan/board/message';
import type { BoardAnswer } from '../../plan/board/request';
import { defined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { SignalPayload } from '../../plan/run/signal';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { shortened } from '../../plan/text/shortened';
import type { Decided, NotApplied, PlannedCommand } from '../../workflows/interpreter/inbound/planned-command';
import type { Interpreter, KindCommand } from '../../workflows/interpreter/interpreter';
import { tell } from './board';
import type { BoardEvent } from './machine/events';
import { absence, findMember } from './machine/members';
import { numberOfKey } from './machine/tasks';
import { boardFor, type OpenBoard, openBoards } from './open-boards';
import { isStoring, storeText } from './sent-texts';

/**
 * What people and programs send to a board: tasks, members, messages, and that it drains. The machine decides, in the step in which the
 * message is applied; who sends is nobody of the team, whatever name it gives.
 */
export function planForBoard(it: Interpreter, name: KindCommand, payload: SignalPayload): PlannedCommand | undefined {
  if (name === 'message') return planLetter(it, payload);
  const board = boardFor(it, payload.step);
  if ('outcome' in board) return board;
  const by = payload.by ?? SOMEBODY;
  const forged = whyForged(board, by);
  if (forged) return forged;
  const { order } = payload;
  if (name === 'drain') return planDrain(board, by, payload.reason);
  if (name === 'task' && order?.kind === 'task') return planTask(board, by, order);
  if (name === 'spawn' && order?.kind === 'spawn') return planSpawn(board, by, order);
  return { outcome: 'unreadable', reason: `${name} takes an object` };
}

/** Who gives no name. */
const SOMEBODY = 'human';

type OrderOf<K> = Extract<NonNullable<SignalPayload['order']>, { kind: K }>;

function planDrain(board: OpenBoard, by: string, reason: string | undefined): PlannedCommand {
  const step = nameOf(board);
  if (board.state.isDraining) return { outcome: 'duplicate', reason: `${step} is draining already` };
  const about = reason === undefined ? {} : { about: `for ${step}: ${reason}` };
  return decidedBy(board, () => ({ kind: 'drain', by }), about);
}

function planTask(board: OpenBoard, by: string, { task: read, key }: OrderOf<'task'>): PlannedCommand {
  const { description, ...task } = read;
  // It is known, and what it says is not stored again.
  const isKnown = numberOfKey(board.state, key) !== undefined;
  return withText(board, isKnown ? undefined : description, 'description', (text) => ({
    ...{ kind: 'task', by, task: { ...task, ...defined({ description: text }) } },
    ...defined({ key }),
  }));
}

function planSpawn(board: OpenBoard, by: string, { kind: _kind, prompt, ...member }: OrderOf<'spawn'>): PlannedCommand {
  return withText(board, prompt, `${member.name}.prompt`, (text) => ({
    kind: 'spawn',
    by,
    member: { ...member, ...defined({ prompt: text }) },
  }));
}

/** A plan is answered at its gate, which knows who may. */
const LETTERS = ['message', 'shutdown_request'] as const;

/** Undefined: it is for an agent's step, or for nobody. A member comes before an agent with the same name. */
function planLetter(it: Interpreter, payload: SignalPayload): PlannedCommand | undefined {
  const { to, step, from = payload.by ?? SOMEBODY } = payload;
  const readers = openBoards(it).filter(({ state }) => to !== undefined && findMember(state, to) !== undefined);
  const isForBoard = readers.length > 0 || step !== undefined || payload.type !== undefined;
  if (to === undefined || (!isForBoard && Object.hasOwn(it.run.plan.agents ?? {}, to))) return undefined;
  const [only] = readers;
  const board = only && readers.length === 1 && step === undefined ? only : boardFor(it, step);
  if ('outcome' in board) return isForBoard ? board : undefined;
  const { state } = board;
  const type = LETTERS.find((one) => one === (payload.type ?? 'message'));
  if (!type) return { outcome: 'unreadable', reason: `"type" must be one of ${LETTERS.join(', ')}; a plan is answered at its gate` };
  const reader = findMember(state, to);
  if (!reader) return { outcome: 'misdirected', reason: absence(state, to) ?? '' };
  const forged = whyForged(board, from);
  if (forged) return forged;
  const said = payload.content ?? (type === 'shutdown_request' ? 'please shut down' : undefined);
  if (said === undefined) return undefined;
  const content = typeof said === 'string' ? said : jsonText(said);
  return withText(board, content.length > SHORT_CHARACTERS ? content : undefined, `message to ${reader.name}`, (whole) => ({
    kind: 'sent',
    message: {
      // Each message has an entry in the journal before the next one comes.
      ...{ id: `person-${it.run.state.journal.nextSeq}`, type, from, to: reader.name, content: shortened(content, SHORT_CHARACTERS) },
      ...{ characters: content.length, at: new Date(it.run.ctx.now()).toISOString() },
      ...defined({ whole }),
    },
  }));
}

/** A name of the team, or the board's own, would make a person's words theirs. */
function whyForged({ state }: OpenBoard, by: string): NotApplied | undefined {
  if (by !== BOARD && by !== LEAD && !findMember(state, by)) return undefined;
  return { outcome: 'refused', reason: `"${by}" is a name of the team: say who you are` };
}

/** Stores the text, if there is one, before the board has what it belongs to. */
function withText(
  board: OpenBoard,
  text: string | undefined,
  as: string,
  eventOf: (text: ArtifactRef | undefined) => BoardEvent,
): PlannedCommand {
  const { run } = board.it;
  if (text === undefined && !isStoring(run)) return decidedBy(board, () => eventOf(undefined));
  let ref: ArtifactRef | undefined;
  const check = async (): Promise<NotApplied | undefined> => {
    const kept = await storeText(run, text === undefined ? undefined : { as, text });
    if ('outcome' in kept) return kept;
    ref = kept.text;
    return undefined;
  };
  return decidedBy(board, () => eventOf(ref), { check });
}

/** While a text was stored the board may have ended, or begun another try. */
function decidedBy(
  { it, place }: OpenBoard,
  eventOf: () => BoardEvent,
  more: { about?: string; check?: () => Promise<NotApplied | undefined> } = {},
): PlannedCommand {
  const step = it.run.name(place.path);
  return {
    step,
    ...more,
    apply: () => undefined,
    decide() {
      const board = boardFor(it, place.path);
      return 'outcome' in board ? board : receiptOf(tell(board, eventOf()), step);
    },
  };
}

function receiptOf(answer: BoardAnswer | undefined, step: string): Decided | NotApplied {
  if (answer?.refused) {
    return { outcome: outcomeOf(field(answer.said, 'refused')), reason: refusalWords(answer.said) };
  }
  const number = field(field(answer?.said, 'created'), 'id');
  if (typeof number !== 'number') return { outcome: 'applied' };
  if (field(answer?.said, 'again') === true) return { outcome: 'duplicate', task: number, about: `it is #${number} of ${step} already` };
  return { outcome: 'applied', task: number, about: `it is #${number} of ${step}` };
}

function outcomeOf(refused: unknown): NotApplied['outcome'] {
  if (refused === 'board_full') return 'unavailable';
  return refused === 'board_over' ? 'late' : 'refused';
}

/** `cycle (chain: a → b → a): these tasks wait for each other`. */
export function refusalWords(said: Json): string {
  if (!isJsonObject(said)) return String(said);
  const { refused, hint, ...details } = said;
  const about = Object.entries(details).map(
    ([key, value]) => `${key}: ${Array.isArray(value) ? value.map(String).join(' → ') : String(value)}`,
  );
  return `${String(refused)}${about.length > 0 ? ` (${about.join(', ')})` : ''}${hint === '' ? '' : `: ${String(hint)}`}`;
}

function nameOf({ it, place }: OpenBoard): string {
  return it.run.name(place.path);
}
