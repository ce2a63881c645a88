import { buttonsOf, type MessageButton } from '../../activities/adapters/notify/buttons';
import { CUT_NOTE, codeBlock, fittedText, fittedWithNote } from '../../activities/adapters/notify/fitted-text';
import { mentionedIn } from '../../activities/adapters/notify/mentions';
import { leftOut, shownBlock } from '../../activities/adapters/notify/shown-part';
import type { AskedGate, AttachedReport, ChannelMessage } from '../../activities/channel-port';
import { defined, unlessEmpty } from '../../plan/defined';
import { CHATS } from '../../plan/people/chats';
import type { Directory } from '../../plan/people/people';
import { zonedText } from '../../plan/text/zoned-time';

/**
 * A message in the format of Discord's Execute Webhook: mentions and subject as content, the message itself in an embed, how to answer in
 * its fields, and buttons.
 *
 * Invariants: 1. only the channel's own `mention` is pinged (`allowed_mentions`); 2. text of authors and agents is shown as written: no
 * mark-up, no mention, no link with a text of its own; 3. no part is longer than Discord accepts.
 *
 * Limits: https://docs.discord.com/developers/resources/message (embeds), …/resources/webhook, …/components/reference.
 */
export interface DiscordMessage {
  content: string;
  embeds: { description?: string; fields?: { name: string; value: string }[]; footer: { text: string } }[];
  allowed_mentions: { parse: string[]; users: string[]; roles: string[] };
  components?: { type: number; components: { type: number; style: number; label: string; custom_id: string }[] }[];
}

const CONTENT_LIMIT = 2000;
/** An embed's description may have 4096 characters; all of an embed together 6000. */
const DESCRIPTION_LIMIT = 3600;
/** The length of the description if more is shown than the question. */
const QUESTION_LIMIT = 2400;
const FIELD_LIMIT = 1024;
const FOOTER_LIMIT = 256;
const LABEL_LIMIT = 80;
const LEFT_OUT_LIMIT = 400;
const FILE_BYTES = (CHATS.discord.fileMiB ?? 0) * 1024 * 1024;
const IDS_LIMIT = 100;
const BUTTONS_IN_ROW = 5;
const MOST_BUTTONS = 25;
const ROW = 1;
const BUTTON = 2;
const STYLES: Readonly<Record<MessageButton['style'], number>> = { good: 3, bad: 4, plain: 2 };

export function discordMessage(message: ChannelMessage, people: Directory): DiscordMessage {
  const { title, body, channel, run, gate } = message;
  const { text, allowed } = calledUpon(message.spec?.mention, people);
  const question = fittedWithNote(piecesOf(body), message.shown === undefined ? DESCRIPTION_LIMIT : QUESTION_LIMIT, escapedPiece, CUT_NOTE);
  const block = shownBlock(message, DESCRIPTION_LIMIT - question.length - 1, { code: asIs, text: escapedPiece, colours: true });
  const { report } = message;
  const left = report && !isAttached(report) ? fittedText(piecesOf(leftOut(report)), LEFT_OUT_LIMIT, escapedPiece).text : '';
  const description = [question, block, left].filter((part) => part !== '').join('\n');
  const fields = gate ? fieldsOf(gate) : [];
  const rows = rowsOf(buttonsOf(message, MOST_BUTTONS));
  const head = fittedText(text, CONTENT_LIMIT / 2, (piece) => piece).text;
  return {
    content: `${head}${fittedText(piecesOf(title), CONTENT_LIMIT / 2, escapedPiece).text}`,
    embeds: [
      {
        ...defined({ description: description.trim() === '' ? undefined : description, fields: unlessEmpty(fields) }),
        footer: { text: fittedText(`${channel} · ${run}`, FOOTER_LIMIT, (piece) => piece).text },
      },
    ],
    allowed_mentions: allowed,
    ...defined({ components: unlessEmpty(rows) }),
  };
}

/** Whether a report is sent with the message as a file. */
export function isAttached({ text }: AttachedReport): boolean {
  return Buffer.byteLength(text) <= FILE_BYTES;
}

/** The mention as pieces that are never torn, and who it may ping. */
function calledUpon(mention: string | undefined, people: Directory): { text: string[]; allowed: DiscordMessage['allowed_mentions'] } {
  const [text, parse, users, roles] = [[] as string[], new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { word, ids } of mentionedIn(mention, people, 'discord')) {
    const user = /^<@!?(\d{1,20})>$/.exec(word)?.[1];
    const role = /^<@&(\d{1,20})>$/.exec(word)?.[1];
    const found = user === undefined ? ids.filter((id) => /^\d{1,20}$/.test(id)) : [user];
    for (const id of found) users.add(id);
    if (role !== undefined) roles.add(role);
    if (word === '@everyone' || word === '@here') parse.add('everyone');
    if (found.length > 0) text.push(...found.map((id) => `<@${id}> `));
    else text.push(role !== undefined || /^@(everyone|here)$/.test(word) ? `${word} ` : `${escapedPiece(word)} `);
  }
  const allowed = { parse: [...parse], users: [...users].slice(0, IDS_LIMIT), roles: [...roles].slice(0, IDS_LIMIT) };
  return { text, allowed };
}

function fieldsOf({ choices, approvers, note, deadline, zone, url, commands, answer }: AskedGate): { name: string; value: string }[] {
  const lines = [
    `Choices: ${choices.join(', ')}`,
    ...(approvers?.length ? [`Asked: ${approvers.join(', ')}`] : []),
    ...(note === undefined ? [] : [`Note: ${note}`]),
    ...(deadline === undefined ? [] : [`Until: ${zonedText(deadline, zone)}`]),
    // A link that does not fit would be useless.
    ...(url === undefined || url.length > FIELD_LIMIT / 2 ? [] : [`Answer at: ${url}`]),
  ].reverse();
  const value = fittedWithNote(piecesOf(lines.join('\n')), FIELD_LIMIT, escapedPiece, '…');
  const code = codeBlock([...commands, ...(answer === undefined ? [] : [answer])], FIELD_LIMIT, (text) => text);
  return [{ name: 'How to answer', value }, ...(code === '' ? [] : [{ name: 'From a terminal', value: code }])];
}

function rowsOf(buttons: readonly MessageButton[]): NonNullable<DiscordMessage['components']> {
  const made = buttons.map(({ choice, id, style }) => ({
    type: BUTTON,
    style: STYLES[style],
    label: fittedText(choice, LABEL_LIMIT, (piece) => piece).text,
    custom_id: id,
  }));
  const rows = Array.from({ length: Math.ceil(made.length / BUTTONS_IN_ROW) }, (_, row) => row * BUTTONS_IN_ROW);
  return rows.map((from) => ({ type: ROW, components: made.slice(from, from + BUTTONS_IN_ROW) }));
}

/** A bare link stays unchanged as one piece: a backslash in it would become part of the address. */
const PIECE = /https?:\/\/[^\s<>()[\]|`*~\\]+|[\s\S]/gu;
const MARK = /[\\`*_~|<>[\]#@]/g;

function piecesOf(text: string): string[] {
  return text.match(PIECE) ?? [];
}

function asIs(text: string): string {
  return text;
}

function escapedPiece(piece: string): string {
  return /^https?:\/\//.test(piece) ? piece : piece.replace(MARK, '\\$&');
}
