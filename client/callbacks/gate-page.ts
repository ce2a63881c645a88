import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { GateLink } from '../../plan/people/notice';
import { beginning } from '../../plan/text/shortened';
import { openText } from '../../plan/text/visible-text';
import { zonedText } from '../../plan/text/zoned-time';
import type { GateNow } from './callback-context';

/**
 * A gate's own page: the question, who may decide and until when, and a form. One document without scripts or external parts, for a phone
 * as for a screen. Text of agents and authors is escaped by `html`, and hides no character.
 */
const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 42rem; margin: 0 auto; padding: 1rem }
h1 { font-size: 1.2rem; overflow-wrap: anywhere }
.question { white-space: pre-wrap; overflow-wrap: anywhere; border-left: 4px solid #888; padding-left: .8rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem }
dd { margin: 0; overflow-wrap: anywhere }
pre { overflow-x: auto; padding: .6rem; border: 1px solid #888; border-radius: .4rem }
pre.shown { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem }
.added { color: #1a7f37 }
.removed { color: #cf222e }
.place { color: #6639ba }
label { display: block; margin: .8rem 0 .2rem }
input, select, textarea { font: inherit; width: 100%; box-sizing: border-box; padding: .6rem }
textarea { min-height: 5rem }
.choices { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1rem 0 }
button { font: inherit; padding: .8rem 1.4rem; min-height: 3rem; flex: 1 }
.said { border: 1px solid #888; border-radius: .4rem; padding: .8rem }
`;

/** Allows only the style above, and no script. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

export type Page = ReturnType<typeof html>;

export interface PageFacts {
  gate: GateLink;
  now: GateNow;
  commands: readonly string[];
  /** People who have a token; if anybody has, nobody may answer without one. */
  people: readonly string[];
  tokens: boolean;
  /** What the gate shows in addition to its question. Undefined if the store here does not have it. */
  shown: string | undefined;
  /** The link to all of it. */
  whole: string;
}

export function gatePage({ gate, now, commands, people, tokens, shown, whole }: PageFacts): Page {
  const approvers = gate.approvers ?? [];
  const delegates = Object.values((now.kind === 'open' && now.view.delegates) || {}).flat();
  const body = html`
<h1>${gate.run}: ${gate.step}</h1>
<p class="question">${openText(gate.question)}</p>
<dl>
<dt>Who may decide</dt><dd>${approvers.length === 0 ? 'anyone' : approvers.join(', ')}</dd>
${delegates.length === 0 ? undefined : html`<dt>In their place</dt><dd>${delegates.join(', ')}</dd>`}
${gate.note === undefined ? undefined : html`<dt>Note</dt><dd>${openText(gate.note)}</dd>`}
<dt>Until</dt><dd>${gate.deadline === undefined ? 'no deadline' : zonedText(gate.deadline, gate.zone)}</dd>
<dt>Digest of what is shown</dt><dd><code>${gate.shownSha256}</code></dd>
</dl>
${shownSection(shown, whole)}
${now.kind === 'closed' ? html`<p class="said" role="status">This gate is closed: it was decided, or its content has changed.</p>` : undefined}
${now.kind === 'unknown' ? html`<p class="said" role="status">The run does not respond at the moment; you may have to send your answer again.</p>` : undefined}
${now.kind === 'closed' || gate.kind === 'budget' ? undefined : form(gate, now, approvers.length === 0 ? people : [...new Set([...approvers, ...delegates])], tokens)}
<h2>At a command line</h2>
<pre>${commands.join('\n')}</pre>`;
  return page(`${gate.step}: a decision`, body);
}

/** The shown content, only its beginning if it is long; lines of a diff are marked as such. */
function shownSection(shown: string | undefined, whole: string): Page | undefined {
  if (shown === '') return undefined;
  if (shown === undefined)
    return html`<h2>What is shown</h2><p class="said" role="status">The store of this listener does not have the content: look at it on the machine of the worker.</p>`;
  const cut = shown.length > SHOWN_CHARACTERS;
  const text = cut ? beginning(shown, SHOWN_CHARACTERS) : shown;
  const rest = shown.length - text.length;
  return html`<h2>What is shown</h2>
<pre class="shown">${isDiff(text) ? text.split('\n').map(diffLine) : text}</pre>
<p>${cut ? html`${rest} of ${shown.length} characters are left out here. ` : undefined}<a href="${whole}">All of it as plain text</a></p>`;
}

/** The limit of shown content on the page. */
const SHOWN_CHARACTERS = 100_000;

function isDiff(text: string): boolean {
  return /^@@ -\d+(,\d+)? \+\d+(,\d+)? @@/m.test(text);
}

function diffLine(line: string): Page {
  const kind = line.startsWith('@@') ? 'place' : line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : undefined;
  return kind === undefined ? html`${line}\n` : html`<span class="${kind}">${line}</span>\n`;
}

/** A page with one message. */
export function messagePage(title: string, text: string): Page {
  return page(title, html`<h1>${title}</h1><p class="said" role="status">${text}</p>`);
}

function form(gate: GateLink, now: GateNow, people: readonly string[], tokens: boolean): Page {
  const rule = now.kind === 'open' ? now.view.comment : undefined;
  const comment = rule === 'always' ? 'Comment (needed)' : rule === 'on_reject' ? 'Comment (needed to reject)' : 'Comment';
  return html`
<form method="post">
<label for="by">You are</label>
<input id="by" name="by" required maxlength="200" autocomplete="username" autocapitalize="none" list="people">
<datalist id="people">${people.map((name) => html`<option value="${name}"></option>`)}</datalist>
<label for="token">Your token${tokens ? '' : ' (may be left empty: your name is then only claimed)'}</label>
<input id="token" name="token" type="password" maxlength="1000" autocomplete="current-password"${tokens ? html` required` : undefined}>
${gate.kind === 'input' ? html`<label for="response">Your answer (text or JSON)</label><textarea id="response" name="response" required></textarea>` : undefined}
<label for="comment">${comment}</label>
<textarea id="comment" name="comment" maxlength="10000"></textarea>
<div class="choices">${gate.choices.map((choice) => html`<button name="choice" value="${choice}">${choice}</button>`)}</div>
</form>`;
}

function page(title: string, body: Page): Page {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${raw(STYLE)}</style></head><body>${body}
</body></html>
`;
}
