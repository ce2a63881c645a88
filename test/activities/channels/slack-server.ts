import { type HookServer, hookServer, type Received, Rules } from './hook-server';

/** Incoming webhooks and Block Kit as Slack documents them (docs.slack.dev/reference/block-kit): sizes and shapes. */
export async function slackServer(): Promise<HookServer & { url: string }> {
  const server = await hookServer(brokenRules, { status: 200, headers: { 'content-type': 'text/html' }, body: 'ok' });
  return { ...server, url: `${server.origin}/services/T00000000/B00000000/aTokenOfSlack` };
}

function brokenRules({ method, path, headers, body }: Received): string[] {
  const rules = new Rules();
  rules.require(method === 'POST', 'the method is POST');
  rules.require(/^\/services\/T\w+\/B\w+\/\w+$/.test(path), 'the path has the three parts of an address');
  rules.require(headers['content-type'] === 'application/json', 'the body is JSON');
  const { text, blocks } = rules.fields(body, ['text', 'blocks'], 'a message');
  rules.text(text, 4000, 'text');
  for (const block of rules.list(blocks, 50, 'blocks')) checkBlock(rules, block);
  return rules.broken;
}

function checkBlock(rules: Rules, block: unknown): void {
  const { type, text, elements } = rules.fields(block, ['type', 'text', 'elements'], 'a block');
  if (type === 'section') checkMrkdwn(rules, text, 'text of a section');
  else if (type === 'context') for (const one of rules.list(elements, 10, 'elements of a context')) checkMrkdwn(rules, one, 'a context');
  else if (type === 'actions') checkButtons(rules, rules.list(elements, 25, 'elements of actions'));
  else rules.require(false, `a block of type ${String(type)} is not expected`);
}

function checkMrkdwn(rules: Rules, value: unknown, what: string): void {
  const { type, text, verbatim } = rules.fields(value, ['type', 'text', 'verbatim'], what);
  rules.require(type === 'mrkdwn', `${what} is mrkdwn`);
  rules.require(verbatim === true, `${what} is verbatim`);
  rules.text(text, 3000, what);
  // Every & begins one of the three escapes.
  rules.require(typeof text === 'string' && !/&(?!(amp|lt|gt);)/.test(text), `${what} is escaped`);
}

function checkButtons(rules: Rules, buttons: unknown[]): void {
  const ids: unknown[] = [];
  for (const button of buttons) {
    const { type, text, action_id, value, style } = rules.fields(button, ['type', 'text', 'action_id', 'value', 'style'], 'a button');
    rules.require(type === 'button', 'an element is a button');
    const label = rules.fields(text, ['type', 'text', 'emoji'], 'text of a button');
    rules.require(label['type'] === 'plain_text', 'text of a button is plain');
    rules.text(label['text'], 75, 'text of a button');
    rules.text(action_id, 255, 'action_id');
    rules.text(value, 2000, 'value');
    rules.require(style === undefined || style === 'primary' || style === 'danger', 'style is known');
    ids.push(action_id);
  }
  rules.require(new Set(ids).size === ids.length, 'action ids are unique in a block');
}

/** All that Slack would read as a link, a mention or a command, in any text of a message. */
export function controls(body: unknown): string[] {
  return [...JSON.stringify(body).matchAll(/<([^>]*)>/g)].map(([, inner]) => String(inner));
}
