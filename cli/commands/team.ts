import { findTeam } from '../../client/find-team';
import { boardLines } from '../../plan/board/board-lines';
import { LEAD } from '../../plan/board/message';
import { defined } from '../../plan/defined';
import type { SignalPayload } from '../../plan/run/signal';
import { joined } from '../../plan/text/joined';
import { jsonText } from '../../plan/text/json-text';
import type { Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { jsonOrText } from '../pipelines/run-args';
import { renderLetters } from '../rendering/board';
import { manyLines, oneLine } from '../rendering/text/printable';
import { lookUpBoard, wholeText } from '../session/found-board';
import { orderedBy, sendOrder } from '../session/send-order';
import { withSession } from '../session/with-session';
import { configurationOf } from '../settings/settings';

/** The board with its owners, and the team. */
export async function board(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  return withSession(invocation, 'answers', async (session) => {
    const { run, board: found } = await lookUpBoard(session, args[0], stepOf(invocation));
    if (options.flag('json')) terminal.out(`${jsonText({ run, ...found }, { step: '  ' })}\n`);
    else {
      const state = found.over ?? (found.draining ? 'draining' : undefined);
      const head = `${terminal.colors.bold(oneLine(found.team))}  ${terminal.colors.dim(`${found.step} of ${run}`)}`;
      terminal.out(`${head}${state === undefined ? '' : `  ${state}`}\n${manyLines(boardLines(found))}\n`);
    }
    return EXIT.done;
  });
}

/** What a member has not read yet; of `lead`, who is a person, what the members have written. */
export async function inbox(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const [name, member = ''] = args;
  return withSession(invocation, 'answers', async (session) => {
    const { run, board: found, view } = await lookUpBoard(session, name, { ...stepOf(invocation), inbox: member });
    if (!found.inbox) {
      const there = [...new Set([...found.members.map((one) => one.name), LEAD])].join(', ');
      throw usage(`nobody in the team is called "${member}"`, `there are: ${there}`);
    }
    const read = options.flag('whole') ? await wholeText(session, view) : async () => undefined;
    const messages = await Promise.all(found.inbox.map(async (one) => ({ ...one, content: (await read(one.whole)) ?? one.content })));
    if (options.flag('json')) terminal.out(`${jsonText({ run, team: found.team, member, messages }, { step: '  ' })}\n`);
    else if (messages.length > 0) terminal.out(renderLetters(messages, terminal.colors));
    else terminal.err(`${member} has read everything\n`);
    return EXIT.done;
  });
}

/** Writes to a member, or asks it to shut down. */
export function message(invocation: Invocation): Promise<number> {
  const { args, options } = invocation;
  const [name, to = '', text] = args;
  const { by } = orderedBy(invocation, configurationOf(invocation).user.value);
  const asksToEnd = options.flag('shutDown');
  if (text === undefined && !asksToEnd) throw usage('the text of the message is missing');
  const payload = joined<SignalPayload>(
    { to, content: text === undefined ? undefined : jsonOrText(text), from: by },
    { type: asksToEnd ? 'shutdown_request' : 'message', ...stepOf(invocation) },
  );
  return sendOrder(invocation, { name: 'message', payload, moves: false, find: (client) => findTeam(client, name) });
}

/** Spawns a member, or starts one again. */
export function add(invocation: Invocation): Promise<number> {
  const { args, options } = invocation;
  const [team, name = ''] = args;
  const payload = {
    ...orderedBy(invocation, configurationOf(invocation).user.value),
    name,
    ...defined({ agent: options.text('agent'), role: options.text('role'), prompt: options.text('prompt') }),
    ...stepOf(invocation),
  };
  return sendOrder(invocation, { name: 'spawn', payload, moves: false, find: (client) => findTeam(client, team) });
}

function stepOf({ options }: Invocation): { step?: string } {
  return defined({ step: options.text('step') });
}
