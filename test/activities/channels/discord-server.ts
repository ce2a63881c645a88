import { type Fields, type HookServer, hookServer, isFields, listOf, type Received, Rules } from './hook-server';

/**
 * Execute Webhook as Discord documents it (docs.discord.com/developers/resources/webhook, …/resources/message,
 * …/components/reference): path, query, sizes and shapes.
 */
export async function discordServer(): Promise<HookServer & { url: string }> {
  const taken = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"id":"1","type":0}' };
  const server = await hookServer(brokenRules, taken);
  return { ...server, url: `${server.origin}/api/webhooks/1234567890/a-token_of-Discord` };
}

function brokenRules({ method, path, query, headers, body }: Received): string[] {
  const rules = new Rules();
  rules.require(method === 'POST', 'the method is POST');
  rules.require(/^\/api\/v10\/webhooks\/\d+\/[\w-]+$/.test(path), 'the path has a version, the id and the token');
  rules.require(query.get('wait') === 'true', 'the sender waits until the message is stored');
  rules.require(query.get('with_components') === 'true', 'components are to be respected');
  rules.require(headers['content-type'] === 'application/json', 'the body is JSON');
  const { content, embeds, allowed_mentions, components } = rules.fields(
    body,
    ['content', 'embeds', 'allowed_mentions', 'components'],
    'a message',
  );
  rules.text(content, 2000, 'content');
  checkEmbeds(rules, rules.list(embeds, 10, 'embeds'));
  checkMentions(rules, allowed_mentions);
  if (components !== undefined) checkRows(rules, rules.list(components, 5, 'components'));
  return rules.broken;
}

function checkEmbeds(rules: Rules, embeds: unknown[]): void {
  let all = 0;
  const text = (value: unknown, most: number, what: string) => {
    rules.text(value, most, what);
    all += typeof value === 'string' ? value.length : 0;
  };
  for (const embed of embeds) {
    const { description, fields, footer } = rules.fields(embed, ['description', 'fields', 'footer'], 'an embed');
    if (description !== undefined) text(description, 4096, 'description');
    for (const field of fields === undefined ? [] : rules.list(fields, 25, 'fields')) {
      const { name, value } = rules.fields(field, ['name', 'value', 'inline'], 'a field');
      text(name, 256, 'name of a field');
      text(value, 1024, 'value of a field');
    }
    if (footer !== undefined) text(rules.fields(footer, ['text'], 'a footer')['text'], 2048, 'footer');
  }
  rules.require(all <= 6000, 'all embeds together have at most 6000 characters');
}

function checkMentions(rules: Rules, value: unknown): void {
  const { parse, users, roles } = rules.fields(value, ['parse', 'users', 'roles'], 'allowed_mentions');
  rules.require(
    listOf(parse).every((word) => word === 'everyone' || word === 'users' || word === 'roles'),
    'parse has known words',
  );
  for (const [word, ids] of [
    ['users', users],
    ['roles', roles],
  ] as const) {
    rules.require(listOf(ids).length <= 100, `at most 100 ${word}`);
    rules.require(
      listOf(ids).every((id) => typeof id === 'string' && /^\d+$/.test(id)),
      `${word} are ids`,
    );
    rules.require(!(listOf(ids).length > 0 && listOf(parse).includes(word)), `${word} and parse exclude one another`);
  }
}

function checkRows(rules: Rules, rows: unknown[]): void {
  const ids: unknown[] = [];
  for (const row of rows) {
    const { type, components } = rules.fields(row, ['type', 'components'], 'a row');
    rules.require(type === 1, 'a row is of type 1');
    for (const button of rules.list(components, 5, 'buttons of a row')) {
      const { type: kind, style, label, custom_id } = rules.fields(button, ['type', 'style', 'label', 'custom_id'], 'a button');
      rules.require(kind === 2, 'a button is of type 2');
      rules.require(typeof style === 'number' && style >= 1 && style <= 4, 'a button with an id has a style of 1 to 4');
      rules.text(label, 80, 'label');
      rules.text(custom_id, 100, 'custom_id');
      ids.push(custom_id);
    }
  }
  rules.require(new Set(ids).size === ids.length, 'ids are unique in a message');
}

/** The people whom a message would ping: mentions in its content that `allowed_mentions` lets through. */
export function pinged(body: unknown): string[] {
  const { content, allowed_mentions } = isFields(body) ? body : {};
  const { parse, users, roles }: Fields = isFields(allowed_mentions) ? allowed_mentions : {};
  const found = typeof content === 'string' ? [...content.matchAll(/(?<!\\)<@(&?)!?(\d+)>|@(everyone|here)/g)] : [];
  return found.flatMap(([, role, id, all]) => {
    if (all !== undefined) return listOf(parse).includes('everyone') ? [all] : [];
    return listOf(role === '&' ? roles : users).includes(id) ? [String(id)] : [];
  });
}
