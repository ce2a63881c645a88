import type { ToolCall } from '../../../plan/agents/tool';
import { largestReport, type ReportedCounts, reportedUsage } from '../../../plan/budgets/reported-usage';
import { TOKEN_KINDS, tokensOf, UNREPORTED_USAGE, type Usage } from '../../../plan/budgets/usage';
import { defined, unlessEmpty } from '../../../plan/defined';
import type { Turn } from '../../../records/transcripts/turn';
import type { ProgramEvent, ProgramPreset } from './preset';
import { isSessionId, sessionNote } from './session';

/**
 * Builds turns from a program's events. It does nothing else: no clock, no process.
 *
 * Invariants: 1. a model reply is one turn, however many lines it came in, if the program says which belong to it, and its results follow
 * it; 2. a reply with calls is a turn as soon as it is complete, so that it is recorded while its tools are running; any other is pending
 * until it is known to be the last; 3. the turns' usages add up to the program's total, if it reports one; 4. a reply without usage has an
 * unknown cost, and is not free; the totals at the end settle it.
 */
export interface TurnBuilder {
  /** Turns that are whole by now. */
  add(event: ProgramEvent): Turn[];
  /** The last reply with the remaining usage; undefined if there is none. */
  reply(): Turn | undefined;
  /** Paid usage without a result. */
  broken(): Turn | undefined;
  /** Whether the program has said anything that was paid for. */
  said(): boolean;
}

/**
 * @param recorded the turns of this program as they were recorded, with their prices
 * @param counted the counts of its session before it began, if it counts by sessions
 */
export function turnBuilder(
  preset: ProgramPreset,
  taken: ReadonlySet<string>,
  recorded: () => readonly Turn[],
  counted?: Usage,
): TurnBuilder {
  const calls = new Map<string, ToolCall>();
  const done = new Set<string>();
  /** Replies whose usage is reported. */
  const reported = new Set<string>();
  let session: string | undefined;
  let pending: PendingReply | undefined;
  let total: Usage | undefined;
  let end: string | undefined;
  let yielded = 0;

  const turnOf = ({ text, made, used, model }: PendingReply, more: Partial<Turn> = {}): Turn => ({
    ...{ role: 'assistant', text },
    ...defined({ calls: unlessEmpty(made), usage: used && reportedUsage(used), model }),
    ...sessionNote(preset, session, total),
    ...more,
  });

  /** Releases the pending reply, which is complete and not the last. */
  function release(): Turn[] {
    if (!pending) return [];
    const usage = pending.used ? {} : { usage: UNREPORTED_USAGE };
    const turn = turnOf(pending, { ...usage, ...(pending.made.length > 0 ? {} : { stop: 'aside' }) });
    const isEmpty = pending.text === '' && pending.made.length === 0 && !pending.used;
    if (pending.used && pending.message !== undefined) reported.add(pending.message);
    pending = undefined;
    if (isEmpty) return [];
    yielded += 1;
    return [turn];
  }

  /** The reply of an event: the pending one, or a new one. */
  function open(of: { message?: string; model?: string }, belongs: (pending: PendingReply) => boolean): [PendingReply, Turn[]] {
    const same = pending !== undefined && (of.message !== undefined ? pending.message === of.message : belongs(pending));
    const released = same ? [] : release();
    pending ??= { text: '', made: [], ...defined({ message: of.message }) };
    if (of.model !== undefined) pending.model = of.model;
    return [pending, released];
  }

  function ownId(id: string): string {
    let own = id === '' ? 'call' : id;
    for (let n = 2; taken.has(own) || [...calls.values()].some((call) => call.id === own); n++) own = `${id}-${n}`;
    return own;
  }

  function add(event: ProgramEvent): Turn[] {
    switch (event.kind) {
      case 'session':
        if (isSessionId(event.id)) session = event.id;
        return [];
      case 'said': {
        const [now, released] = open(event, (it) => it.made.length === 0 && (event.piece === true || it.text === ''));
        now.text += now.text !== '' && event.piece !== true ? `\n\n${event.text}` : event.text;
        return released;
      }
      case 'call': {
        if (calls.has(event.id)) return [];
        const [now, released] = open(event, () => true);
        const call = { id: ownId(event.id), tool: preset.toolNames[event.tool] ?? event.tool, args: event.args };
        calls.set(event.id, call);
        now.made.push(call);
        return released;
      }
      case 'result': {
        const call = calls.get(event.id);
        if (!call || done.has(event.id)) return [];
        done.add(event.id);
        return [...release(), { role: 'tool', text: event.text, call, ...defined({ refused: event.failed }) }];
      }
      case 'whole':
        return pending && pending.made.length > 0 ? release() : [];
      case 'usage': {
        const isOfHeld = event.message === undefined || event.message === pending?.message;
        if (pending && isOfHeld && !reported.has(pending.message ?? ''))
          pending.used = pending.used ? largestReport(event.counts, pending.used) : event.counts;
        return [];
      }
      case 'total':
        total = event.usage;
        return [];
      case 'end':
        end = event.text;
        return [];
      case 'trouble':
        return [];
    }
  }

  /** Invariant 3. The usage reported before a reply's end is less than its final usage. */
  function unpaid(): Usage | undefined {
    if (!total) return pending?.used && reportedUsage(pending.used);
    return minus(counted ? since(total, counted) : total, recorded());
  }

  return {
    add,
    reply() {
      const last = pending?.made.length === 0 ? pending : undefined;
      const text = end ?? last?.text;
      if (text === undefined || text.trim() === '') return undefined;
      return { ...turnOf({ made: [], ...(last ?? {}), text }), usage: unpaid() ?? UNREPORTED_USAGE };
    },
    broken() {
      const usage = unpaid() ?? (pending ? UNREPORTED_USAGE : undefined);
      if (!usage || (usage !== UNREPORTED_USAGE && isNothing(usage) && !usage.inPart)) return undefined;
      const { calls: _unmade, ...turn } = turnOf({ made: [], text: '', ...(pending ?? {}) }, { usage });
      return { ...turn, stop: 'broken' };
    },
    said: () => yielded > 0 || pending !== undefined,
  };
}

interface PendingReply {
  text: string;
  made: ToolCall[];
  message?: string;
  model?: string;
  /** The counts that the program has reported so far. */
  used?: ReportedCounts;
}

/** Subtracts recorded turns with their prices from the total, so that the sum is the program's. */
function minus(total: Usage, turns: readonly Turn[]): Usage {
  const known = turns.flatMap(({ usage }) => (usage ? [usage] : []));
  const rest = countedBy((name) => Math.max(0, total[name] - known.reduce((sum, usage) => sum + usage[name], 0)));
  const spent = known.reduce((sum, { costMicroUsd }) => sum + (costMicroUsd ?? 0), 0);
  const costMicroUsd = total.costMicroUsd === null ? null : Math.max(0, total.costMicroUsd - spent);
  const owed = known.filter((usage) => usage.costMicroUsd === null);
  // Replies without reported usage are part of the rest, and paid with it.
  const settles = owed.length > 0 && (costMicroUsd !== null || owed.every(isNothing)) ? { settles: known.length } : {};
  return { ...rest, costMicroUsd, ...defined({ inPart: total.inPart }), ...settles };
}

/** What the session has counted on top of `counted`. Lower totals mean that the session has begun to count from zero again. */
function since(total: Usage, counted: Usage): Usage {
  const more = countedBy((name) => total[name] - counted[name]);
  return TOKEN_KINDS.some((name) => more[name] < 0) ? total : { ...total, ...more, costMicroUsd: total.costMicroUsd };
}

function countedBy(count: (name: (typeof TOKEN_KINDS)[number]) => number): Usage {
  return { ...UNREPORTED_USAGE, ...Object.fromEntries(TOKEN_KINDS.map((name) => [name, count(name)])) };
}

function isNothing(usage: Usage): boolean {
  return tokensOf(usage) === 0;
}
