import { boardNoteWords } from '../../plan/board/note';
import { briefNoteWords } from '../../plan/brief/note';
import type { Decision } from '../../plan/people/gate';
import { headedQuestion } from '../../plan/people/headed-question';
import { starterText } from '../../plan/people/starter';
import type { JournalEntry } from '../../plan/run/journal';
import { isJsonObject, type Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { unreachable } from '../../plan/unreachable';
import type { Colors } from '../terminal';
import { runStateText, stepStateText } from './states';
import { lastIdOf, namedAddress } from './step-tree';
import { oneLine, pad, truncate } from './text/printable';
import { clock } from './text/time';

const PAYLOAD_SHOWN = 120;

/** One journal entry as one line. */
export function renderEntry(entry: JournalEntry, colors: Colors): string {
  return `${colors.dim(`${String(entry.seq).padStart(4)}  ${clock(entry.at)}`)}  ${pad(entry.kind, 12)}  ${contentOf(entry, colors)}`.trimEnd();
}

/** Entries about a step begin with its address, and the name of the item that it is within. */
function contentOf(entry: JournalEntry, colors: Colors): string {
  const at = 'step' in entry && entry.step !== undefined ? namedAddress(entry.step, entry.item) : undefined;
  switch (entry.kind) {
    case 'run':
      return sentence(
        painted(runStateText(entry.state, colors)),
        by(entry.by ?? (entry.startedBy && starterText(entry.startedBy))),
        entry.reason,
        entry.error && `${entry.error.code}: ${entry.error.message}`,
      );
    case 'step':
      return sentence(
        at,
        painted(stepStateText(entry.state, colors)),
        entry.reason,
        entry.error && `${entry.error.code}: ${entry.error.message}`,
        entry.artifact?.name,
      );
    case 'envelope': {
      const { from, to, intent, payload, expect_response } = entry.envelope;
      return sentence(
        `${from} → ${to}`,
        painted(colors.cyan(intent)),
        entry.unrouted ? painted(colors.yellow('unrouted')) : undefined,
        describePayload(payload),
        expect_response ? 'expects a response' : undefined,
      );
    }
    case 'gate':
      return sentence(at, entry.event, entry.reason, entry.question && (headedQuestion(entry.question) ?? entry.question));
    case 'decision':
      return sentence(
        at,
        painted(colors.bold(oneLine(entry.decision.choice))),
        by(entry.decision.by),
        entry.decision.inPlaceOf === undefined ? undefined : `in place of ${entry.decision.inPlaceOf}`,
        entry.decision.comment,
        `via ${entry.decision.via}`,
        identityOf(entry.decision),
      );
    case 'signal':
      return sentence(entry.name, entry.outcome, by(entry.by), entry.reason);
    case 'budget':
      return sentence(at, `budget ${entry.event}`, entry.reason, by(entry.by));
    case 'approval':
      return sentence(at, entry.category, entry.event, by(entry.by), entry.contentSha256.slice(0, DIGEST_SHOWN));
    case 'grant': {
      const { project, tool, event, categories, contentSha256 } = entry;
      return sentence(
        at,
        event,
        `${categories.join(', ')} of ${project}`,
        `tool ${tool}`,
        by(entry.by),
        contentSha256.slice(0, DIGEST_SHOWN),
      );
    }
    case 'worktree':
      return sentence(at, `worktree ${entry.event}`, `host ${entry.host}`, entry.commit.slice(0, DIGEST_SHOWN), entry.reason);
    case 'folder':
      return sentence(at, `folder ${entry.event}`, `host ${entry.host}`, entry.from && `without the files of ${entry.from}`);
    case 'ticket': {
      const result = entry.result === undefined ? undefined : `in ${entry.result.slice(0, DIGEST_SHOWN)}`;
      const what = sentence(at, `ticket ${entry.ticket} ${entry.event}`, entry.code, entry.candidate.slice(0, DIGEST_SHOWN), result);
      return sentence(what, entry.queue, entry.reason);
    }
    case 'team': {
      const who = entry.engineer === undefined ? undefined : `${entry.engineer}, attempt ${entry.attempt ?? 1}`;
      return sentence(at, entry.event, entry.task, who, entry.commit?.slice(0, DIGEST_SHOWN), entry.reason);
    }
    case 'board':
      return sentence(at, ...boardNoteWords(entry));
    case 'brief':
      return sentence(at, ...briefNoteWords(entry));
    case 'pattern': {
      const { type, from, to, refused, data, inPlaceOf } = entry;
      const between = from === undefined ? to && `to ${to}` : to === undefined ? `from ${from}` : `${from} → ${to}`;
      const ruled = refused === undefined ? undefined : painted(`${colors.red('refused')}  ${oneLine(refused)}`);
      const place = inPlaceOf === undefined ? undefined : `in place of ${inPlaceOf}`;
      const caster = entry.by !== undefined && entry.by !== from ? by(entry.by) : undefined;
      return sentence(at, painted(colors.cyan(type)), between, caster, place, ruled, describePayload(data));
    }
    case 'memory': {
      const { event, file, added, confirmed, reason, error } = entry;
      const counts = added === undefined ? undefined : `${added} added, ${confirmed ?? 0} confirmed`;
      const word = event === 'written' ? event : painted((event === 'failed' ? colors.red : colors.yellow)(event));
      return sentence(at, `memory ${file}`, word, counts, reason, error && `${error.code}: ${error.message}`);
    }
    case 'tool':
      return sentence(at, entry.tool, painted(colors.red(entry.outcome)), entry.reason);
    case 'notification':
      return sentence(
        entry.channel,
        entry.delivered ? 'delivered' : painted(colors.red('not delivered')),
        entry.message,
        entry.reason,
        entry.error?.message,
      );
    default:
      return unreachable(entry);
  }
}

/** Timeouts and agents need no proof of identity. */
function identityOf({ via, identity, channel, by: who }: Decision): string | undefined {
  if (via === 'time-out' || via === 'agent' || who === undefined) return undefined;
  return identity === 'proven' ? `proven by ${channel ?? 'its channel'}` : 'claimed';
}

const DIGEST_SHOWN = 12;

function by(who: string | undefined): string | undefined {
  return who === undefined ? undefined : `by ${who}`;
}

/** Painted text is ours; every other text came from outside and is cleaned. */
interface Painted {
  painted: string;
}

function painted(text: string): Painted {
  return { painted: text };
}

function sentence(...parts: (string | Painted | undefined)[]): string {
  return parts
    .map((part) => (typeof part === 'object' ? part.painted : oneLine(part ?? '')))
    .filter((part) => part !== '')
    .join('  ');
}

function describePayload(payload: unknown): string {
  if (isJsonObject(payload) && typeof payload['$ref'] === 'string') return payload['$ref'];
  return payload === undefined ? '' : truncate(oneLine(jsonText(payload)), PAYLOAD_SHOWN);
}

/** Whether an entry concerns a step, named by id or address, in any round, or a step within it. */
export function concerns(entry: JournalEntry, step: string): boolean {
  const named = 'step' in entry ? entry.step : undefined;
  const task = entry.kind === 'envelope' ? entry.envelope.ref_task : undefined;
  const candidates = [named, task?.slice(task.indexOf('/') + 1), stepInPayload(entry)].filter((text) => text !== undefined);
  return candidates.some((text) => text === step || lastIdOf(text) === step || isWithin(text, step));
}

function stepInPayload(entry: JournalEntry): string | undefined {
  const payload: Json | undefined = entry.kind === 'signal' ? entry.payload : undefined;
  return isJsonObject(payload) && typeof payload['step'] === 'string' ? payload['step'] : undefined;
}

/** `each[3]/lint` is within `each` and within `each[3]`. */
function isWithin(address: string, step: string): boolean {
  return address.includes('/') && address.startsWith(step) && /^[[#~/]/.test(address.slice(step.length));
}
