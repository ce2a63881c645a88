import { ScriptedAdapter } from '../../../activities/adapters/scripted';
import type { AgentRequest } from '../../../activities/agent-port';
import type { ScriptedOutcome, ScriptedReply } from '../../../plan/agents/script';
import { defined } from '../../../plan/defined';
import { until } from '../../support/until';
import type { AdapterUnderTest, Fault, Play, PlayedReply } from '../play';
import { standIn } from './stand-in';

/**
 * A script's entry is the whole answer to a request: its calls one after the other, then its reply. So the replies of a play up to one
 * that calls nothing are an entry.
 */
export const SCRIPTED_ADAPTER: AdapterUnderTest = {
  abilities: ['runner-tools', 'overload', 'limits'],
  async make({ onAsked }) {
    const side = standIn();
    let entries: PlayedReply[][] = [];
    const scripted = new ScriptedAdapter({ sleep: (_, signal) => side.hold(signal), forever: (signal) => side.hold(signal).then(never) });
    const entryFor = (request: AgentRequest): ScriptedReply => {
      const replies = entries[request.ask - 1];
      if (!replies) throw new Error(`no entry is played for request ${request.ask}`);
      const first = entries.slice(0, request.ask - 1).flat().length;
      const asked = { stable: request.system, messages: request.transcript().map((turn) => JSON.stringify(turn)) };
      // A fault of any reply of the entry is a fault of the entry.
      const faults = replies.map((_, i) => side.next(first + i, asked).fault);
      side.asked.splice(-replies.length + 1, replies.length - 1);
      return entryOf(
        replies,
        faults.find((fault) => fault),
      );
    };
    return {
      adapter: {
        ...{ name: scripted.name, affords: scripted.affords, limitsReplies: scripted.limitsReplies },
        async *run(request, signal) {
          onAsked();
          const script = { name: 'played', people: [], replies: { [request.stepId]: [entryFor(request)] } };
          for await (const turn of scripted.run({ ...request, script }, signal)) {
            if (!turn.calls) side.count();
            yield turn;
          }
        },
      },
      ...side,
      asked: () => side.asked,
      play(play: Play) {
        side.play(play);
        entries = inEntries(play.replies);
      },
      gone: () => until(() => side.holding() === 0),
      close: async () => undefined,
    };
  },
};

function inEntries(replies: readonly PlayedReply[]): PlayedReply[][] {
  const entries: PlayedReply[][] = [[]];
  for (const reply of replies) {
    entries.at(-1)?.push(reply);
    if (!reply.calls?.length) entries.push([]);
  }
  return entries.filter((entry) => entry.length > 0);
}

function entryOf(replies: readonly PlayedReply[], fault: Fault | undefined): ScriptedReply {
  const last = replies.at(-1);
  const usages = replies.map(({ usage = { inputTokens: 10, outputTokens: 5 } }) => usage);
  const [first, ...others] = usages;
  const sum = (of: 'inputTokens' | 'outputTokens') => others.reduce((all, usage) => all + usage[of], first ? first[of] : 0);
  return {
    reply: outcomeOf(last?.text ?? '', fault),
    calls: replies.flatMap(({ calls = [] }) => calls.map(({ tool, args }) => ({ tool, args }))),
    usage: { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') },
    ...(fault?.kind === 'silent' ? { afterMs: 1 } : {}),
  };
}

function outcomeOf(text: string, fault: Fault | undefined): ScriptedOutcome {
  if (fault?.kind === 'error') return { kind: 'fail', code: 'model.api-error', message: 'down' };
  if (fault?.kind !== 'overloaded') return { kind: 'text', text };
  const { retryAfterMs } = fault;
  return { kind: 'fail', code: 'model.overloaded', message: 'busy', ...defined({ retryAfterMs }) };
}

function never(): never {
  throw new Error('a reply that hangs for ever was asked to continue');
}
