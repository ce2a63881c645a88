import { hasPeople } from '../../plan/people/people';
import { joined } from '../../plan/text/joined';
import { openText } from '../../plan/text/visible-text';
import type { CallbackContext } from './callback-context';
import { type CallbackAnswer, decidedLine, decideGate } from './decide';
import { gatePage, type Page } from './gate-page';
import { gateOf, jsonOrPlainText, namedPerson, someHaveTokens } from './read-request';
import { CallbackRefused } from './refusal';
import type { RequestFacts } from './refusal-record';
import { isSame } from './signatures';

const LOOK_LIMIT_MS = 3_000;
const TEXT_CHARACTERS = 10_000;

/** The page of a gate. `status` is 410 if it takes no answer any more. */
export async function showGate(context: CallbackContext, about: RequestFacts, key: string): Promise<{ page: Page; status: 200 | 410 }> {
  const { ports } = context;
  const gate = await gateOf(context, about, key);
  const now = await ports.gateNow(gate, LOOK_LIMIT_MS);
  const shown = await ports.shown(gate);
  const facts = { gate, now, shown, whole: `${key}/shown`, commands: ports.commands(gate), people: Object.keys(ports.directory.people) };
  return { page: gatePage({ ...facts, tokens: someHaveTokens(ports.directory) }), status: now.kind === 'closed' ? 410 : 200 };
}

/** Everything that a gate shows, as plain text: none of it is interpreted as a page. */
export async function showWhole(context: CallbackContext, about: RequestFacts, key: string): Promise<string> {
  const gate = await gateOf(context, about, key);
  const shown = await context.ports.shown(gate);
  if (shown === undefined) throw new CallbackRefused(404, 'the store of this listener does not have what the gate shows');
  return `${openText(gate.question)}\n\n${shown}\n`;
}

/**
 * The form of a gate's page. A person's own token proves who answers. If nobody in the directory has one, a name is accepted as claimed; if
 * anybody has, everybody needs theirs, or a bare name would count as much as a proof.
 */
export async function answerLink(
  context: CallbackContext,
  about: RequestFacts,
  key: string,
  body: Buffer,
  headers: Headers,
): Promise<string> {
  fromOurPage(context, headers);
  const gate = await gateOf(context, about, key);
  const form = new URLSearchParams(body.toString('utf8'));
  const by = namedPerson(context.ports.directory, form.get('by'));
  about.by = by;
  const [choice, comment, response] = [written(form, 'choice'), written(form, 'comment'), written(form, 'response')];
  if (choice === undefined) throw new CallbackRefused(400, `the choice is missing: one of ${gate.choices.join(', ')}`);
  const proven = await isProven(context, by, form.get('token') ?? '');
  const answer = joined<CallbackAnswer>({
    gate,
    choice,
    by,
    channel: proven ? 'link' : undefined,
    comment,
    response: response === undefined ? undefined : jsonOrPlainText(response),
  });
  return decidedLine(answer, await decideGate(context, answer));
}

/** Throws `CallbackRefused` 401 if a token is wrong or missing; false if none is required. */
async function isProven({ ports }: CallbackContext, by: string, token: string): Promise<boolean> {
  if (token === '') {
    if (someHaveTokens(ports.directory)) throw new CallbackRefused(401, 'a token is required: a name alone is not accepted here');
    return false;
  }
  const own = hasPeople(ports.directory) ? await ports.tokenOf(by) : undefined;
  // Compared even if there is nothing to compare with, so that the time does not reveal who has a token.
  const fits = isSame(token, own ?? '');
  if (own === undefined || own === '' || !fits) throw new CallbackRefused(401, `this is not the token of ${by}`);
  return true;
}

/** A browser says where a form comes from. A form from another site is refused; a program says nothing, and has its token. */
function fromOurPage({ settings }: CallbackContext, headers: Headers): void {
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  if (site !== null && site !== 'same-origin' && site !== 'none') throw new CallbackRefused(403, 'the form comes from another site');
  if (origin === null) return;
  const ours = [`http://${headers.get('host')}`, `https://${headers.get('host')}`];
  if (settings.url !== undefined) ours.push(new URL(settings.url).origin);
  if (!ours.includes(origin)) throw new CallbackRefused(403, 'the form comes from another site');
}

function written(form: URLSearchParams, name: string): string | undefined {
  const text = form.get(name)?.trim();
  if (text === undefined || text === '') return undefined;
  if (text.length <= TEXT_CHARACTERS) return text;
  throw new CallbackRefused(400, `"${name}" is longer than ${TEXT_CHARACTERS} characters`);
}
