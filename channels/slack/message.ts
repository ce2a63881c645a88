import { buttonsOf, type MessageButton } from '../../activities/adapters/notify/buttons';
import { CUT_NOTE, codeBlock, fittedText, fittedWithNote } from '../../activities/adapters/notify/fitted-text';
import { mentionedIn } from '../../activities/adapters/notify/mentions';
import { asShown, shownBlock } from '../../activities/adapters/notify/shown-part';
import type { AskedGate, ChannelMessage } from '../../activities/channel-port';
import { defined } from '../../plan/defined';
import type { Directory } from '../../plan/people/people';
import { zonedText } from '../../plan/text/zoned-time';

/**
 * A message in the format of Slack's incoming webhooks: sections of Block Kit, and buttons whose `value` names choice and gate;
 * notifications show `text`.
 *
 * Invariants: 1. `&`, `<` and `>` of authors and agents are escaped, and blocks are verbatim, so that only the channel's own `mention` is
 * pinged and no text makes a link; 2. no part is longer than Slack accepts.
 *
 * Limits: https://docs.slack.dev/reference/block-kit (text objects, actions block, button element).
 */
export interface SlackMessage {
  text: string;
  blocks: SlackBlock[];
}

type Mrkdwn = { type: 'mrkdwn'; text: string; verbatim: true };
export type SlackBlock =
  | { type: 'section'; text: Mrkdwn }
  | { type: 'context'; elements: Mrkdwn[] }
  | { type: 'actions'; elements: SlackButton[] };

interface SlackButton {
  type: 'button';
  text: { type: 'plain_text'; text: string; emoji: false };
  action_id: string;
  value: string;
  style?: 'primary' | 'danger';
}

const TEXT_LIMIT = 3000;
const LABEL_LIMIT = 75;
const NAME_LIMIT = 200;
const MOST_BUTTONS = 25;
const STYLES: Readonly<Record<MessageButton['style'], SlackButton['style']>> = { good: 'primary', bad: 'danger', plain: undefined };
const SPECIAL: ReadonlyMap<string, string> = new Map(['here', 'channel', 'everyone'].map((word) => [`@${word}`, `<!${word}>`]));

export function slackMessage(message: ChannelMessage, people: Directory): SlackMessage {
  const { title, body, channel, run, gate } = message;
  const mention = fittedText(calledUpon(message.spec?.mention, people), TEXT_LIMIT / 2, (piece) => piece).text;
  const head = fittedText(title, TEXT_LIMIT / 2 - 2, escaped).text;
  const said = fittedWithNote([...body], TEXT_LIMIT, escaped, CUT_NOTE);
  const block = shownBlock(message, TEXT_LIMIT, { code: escaped, text: escaped, colours: false });
  // Incoming webhooks take no files.
  const { report } = message;
  const attached = report ? shownBlock(asShown(report), TEXT_LIMIT - NAME_LIMIT, { code: escaped, text: escaped, colours: false }) : '';
  const buttons = buttonsOf(message, MOST_BUTTONS);
  return {
    text: `${mention}${head}`,
    blocks: [
      section(`${mention}*${head}*`),
      ...(said.trim() === '' ? [] : [section(said)]),
      ...(block === '' ? [] : [section(block)]),
      ...(report ? [section(`${fittedText(report.name, NAME_LIMIT - 1, escaped).text}\n${attached}`.trimEnd())] : []),
      ...(gate ? answerBlocks(gate) : []),
      ...(buttons.length === 0 ? [] : [{ type: 'actions' as const, elements: buttons.map(slackButton) }]),
      { type: 'context', elements: [mrkdwn(fittedText(`${channel} · ${run}`, TEXT_LIMIT, escaped).text)] },
    ],
  };
}

function mrkdwn(text: string): Mrkdwn {
  return { type: 'mrkdwn', text, verbatim: true };
}

function section(text: string): SlackBlock {
  return { type: 'section', text: mrkdwn(text) };
}

function slackButton({ choice, id, style }: MessageButton): SlackButton {
  const look = STYLES[style];
  return {
    type: 'button',
    text: { type: 'plain_text', text: fittedText(choice, LABEL_LIMIT, (piece) => piece).text, emoji: false },
    action_id: `thermidor:${choice}`,
    value: id,
    ...defined({ style: look }),
  };
}

function answerBlocks({ choices, approvers, note, deadline, zone, url, commands, answer }: AskedGate): SlackBlock[] {
  const lines = [
    `Choices: ${choices.join(', ')}`,
    ...(approvers?.length ? [`Asked: ${approvers.join(', ')}`] : []),
    ...(note === undefined ? [] : [`Note: ${note}`]),
    ...(deadline === undefined ? [] : [`Until: ${zonedText(deadline, zone)}`]),
  ];
  // A link that does not fit would be useless.
  const link = url === undefined || url.length > TEXT_LIMIT / 2 ? '' : `<${escaped(url.replaceAll('|', '%7C'))}|Answer here>\n`;
  const facts = fittedWithNote([...lines.join('\n')], TEXT_LIMIT - link.length, escaped, '…');
  const code = codeBlock([...commands, ...(answer === undefined ? [] : [answer])], TEXT_LIMIT, escaped);
  return [section(`${link}${facts}`), ...(code === '' ? [] : [section(code)])];
}

/** Pieces that are never torn: people by their ids, Slack's own mentions, and other words as text. */
function calledUpon(mention: string | undefined, people: Directory): string[] {
  return mentionedIn(mention, people, 'slack').flatMap(({ word, ids }) => {
    const users = ids.filter((id) => /^[A-Z0-9]+$/.test(id)).map((id) => `<@${id}> `);
    if (users.length > 0) return users;
    if (/^<(@[A-Z0-9]+|!here|!channel|!everyone|!subteam\^[A-Z0-9]+)>$/.test(word)) return [`${word} `];
    return [`${SPECIAL.get(word) ?? escaped(word)} `];
  });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
