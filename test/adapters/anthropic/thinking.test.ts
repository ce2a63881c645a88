import { field, type JsonObject } from '../../../plan/text/json';
import type { Turn } from '../../../records/transcripts/turn';
import { say, think } from '../../support/messages-server/served';
import { asked } from '../model/request';
import { run } from '../model/run';
import { closeServers, local } from './local';

/** A model's thoughts are sent with its calls, as the service signed them. */
afterEach(closeServers);

describe('thinking', () => {
  const thinks = { id: 'a', role: 'r', model: 'claude-test', limits: { thinkingTokens: 2000 } };
  const thoughtful = () =>
    local(({ turn }) =>
      turn === 1
        ? { kind: 'reply', content: [think('The secret is hunter22.'), { type: 'tool_use', name: 'read_file', input: {} }] }
        : say('42'),
    );

  test('goes back as it was signed', async () => {
    const { server, adapter } = await thoughtful();
    await run(adapter, asked({ agent: thinks }));
    expect(server.requests.map(({ body }) => body['thinking'])).toEqual(Array(2).fill({ type: 'enabled', budget_tokens: 2000 }));
    expect(JSON.stringify(server.requests[1]?.body)).toContain('hunter22');
    expect(server.problems).toEqual([]);
  });

  test('that is redacted, or is between texts and calls, goes back in its place', async () => {
    const content: JsonObject[] = [
      { type: 'redacted_thinking', data: 'c2VjcmV0' },
      { type: 'text', text: 'First this.' },
      think('And now?'),
      { type: 'tool_use', name: 'read_file', input: {}, id: 'c' },
    ];
    const { server, adapter, another } = await local(({ turn }) => (turn === 1 ? { kind: 'reply', content } : say('42')));
    const one = asked({ agent: thinks });
    await run(adapter, one, { dieAt: 2 });
    await run(another(), one);
    const [, reply] = [field(server.requests[1]?.body, 'messages') ?? []].flat();
    expect(field(reply, 'content')).toMatchObject(content);
    expect(server.problems).toEqual([]);
  });

  test('is left out if masking has changed it, and so is the wish to think in that request', async () => {
    const { server, adapter, another } = await thoughtful();
    const one = asked({ agent: thinks });
    await run(adapter, one, { dieAt: 2 });
    one.transcript[1] = JSON.parse(JSON.stringify(one.transcript[1]).replaceAll('hunter22', '***')) as Turn;
    await run(another(), one);
    expect(server.requests[1]?.body['thinking']).toBeUndefined();
    expect(JSON.stringify(server.requests[1]?.body)).not.toContain('The secret');
    expect(server.problems).toEqual([]);
  });
});
