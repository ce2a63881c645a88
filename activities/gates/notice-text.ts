import { awaitedApprover } from '../../plan/people/gate';
import type { GateNotice, NoticeKind } from '../../plan/people/notice';
import { inOneLine, quoted } from '../../plan/text/quoted';
import { safeWord } from '../../plan/text/shell-word';
import { visibleText } from '../../plan/text/visible-text';
import { zonedText } from '../../plan/text/zoned-time';
import type { AskedGate, ChannelMessage } from '../channel-port';

/**
 * The words of a message to a channel.
 *
 * Invariants: 1. nothing in `body` steers a terminal or turns the direction of writing; 2. `title` holds nothing that an agent wrote; 3. no
 * line of a message passes for one that says how to answer; 4. a command line can be pasted into a shell unchanged, whatever run, step or
 * choice are called.
 */
export type NoticeText = Pick<ChannelMessage, 'title' | 'body' | 'text'>;

export interface NoticeContent {
  kind: NoticeKind;
  run: string;
  message: string;
  /** The agent that speaks, by id. */
  from?: string;
  mention?: string;
  /** Short address of the gate's step. */
  step?: string;
  gate?: AskedGate;
}

export function noticeText({ kind, run, message, from, mention, step, gate }: NoticeContent): NoticeText {
  const item = gate?.item === undefined ? '' : `Item: ${inOneLine(visibleText(gate.item))}\n`;
  const words = visibleText(message);
  const body = `${item}${OUR_LINE.test(words) ? quoted(words) : words}`;
  const spoken = from === undefined ? body : `${from}: ${body}`;
  const said = mention === undefined ? spoken : `${mention} ${spoken}`;
  const about = step === undefined ? `run ${run}` : `${step} of run ${run}`;
  const title = `${headline(kind, gate)}: ${about}`;
  return { title: from === undefined ? title : `${from}: ${title}`, body, text: gate ? `${said}\n\n${howToAnswer(gate)}` : said };
}

/** As a notice’s own lines begin, by which people answer: a message with such a line must not pass for them. */
const OUR_LINE =
  /^\s*(?:How to answer|(?:Item|Choices|Asked|Note|Until|Answer at):|thermidor (?:approve|reject|respond|abort) |temporal workflow )/m;

function headline(kind: NoticeKind, gate: AskedGate | undefined): string {
  if (kind === 'reminder') return 'Still waiting';
  if (kind === 'closed') return 'No longer needed';
  if (kind === 'error') return 'Failure';
  switch (gate?.kind) {
    case undefined:
      return 'Message';
    case 'input':
      return 'Answer needed';
    case 'budget':
      return 'Budget used up';
    default:
      return 'Decision needed';
  }
}

/** Who may answer what and until when, then how: the link, our command, Temporal's. */
function howToAnswer({ choices, approvers, note, deadline, zone, url, commands, answer }: AskedGate): string {
  const who = approvers?.length ? [`Asked: ${approvers.join(', ')}`] : [];
  const noted = note === undefined ? [] : [`Note: ${note}`];
  const until = deadline === undefined ? [] : [`Until: ${zonedText(deadline, zone)}`];
  const plain = answer === undefined ? [] : [answer];
  const link = url === undefined ? [] : [`Answer at: ${url}`];
  return ['How to answer', `Choices: ${choices.join(', ')}`, ...who, ...noted, ...until, ...link, ...commands, ...plain].join('\n');
}

/**
 * One command for each choice, in the name of somebody who may still decide; `flags` lead to the server. A budget is extended by the signal
 * in the notice's own command.
 */
export function answerCommands(run: string, asked: GateNotice, flags = ''): string[] {
  const { step, kind, choices, comment, identity } = asked;
  const at = `${safeWord(run)} ${safeWord(step)}`;
  const token = identity === 'proven' ? ' --token secret://env/YOUR_TOKEN' : '';
  const by = `--by ${safeWord(awaitedApprover(asked) ?? 'YOU')}`;
  const end = (choice?: string): string => {
    const said = comment === 'always' || (comment === 'on_reject' && choice === 'reject') ? ' --comment WHY' : '';
    return `${by}${said}${token}${flags}`;
  };
  if (kind === 'input') return [`thermidor respond ${at} --response 'YOUR ANSWER' ${end()}`];
  if (kind === 'budget') return choices.includes('abort') ? [`thermidor abort ${safeWord(run)}${flags}`] : [];
  return choices.map((choice) => {
    if (choice === 'approve' || choice === 'reject') return `thermidor ${choice} ${at} ${end(choice)}`;
    return `thermidor respond ${at} --response ${safeWord(choice)} ${end(choice)}`;
  });
}
