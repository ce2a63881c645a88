import type { BoardMessage } from '../../../plan/board/message';
import { SHORT_CHARACTERS } from '../../../plan/board/message';
import type { BoardAnswer, BoardRequest } from '../../../plan/board/request';
import { DESCRIPTION_BYTES } from '../../../plan/board/task';
import { defined } from '../../../plan/defined';
import type { ArtifactRef } from '../../../plan/run/artifact';
import { bug } from '../../../plan/run/failure';
import type { Json } from '../../../plan/text/json';
import { jsonText } from '../../../plan/text/json-text';
import { shortened } from '../../../plan/text/shortened';
import { contentDigest } from '../../gates/content-digest';
import { ToolRefusal } from '../../tool-ports';
import type { CallingAgent, MemberBoard, Tool, ToolAnswer, ToolUse } from '../tool';
import { withRefusals } from '../tool-arguments';

/** What the tools of members of a board have in common. */

type BoardTool = Pick<Tool, 'description' | 'call'> & { properties?: Record<string, Json>; required?: string[] };

/** A tool that every member has, whatever its agent lists, and nobody else. */
export function memberTool({ description, properties = {}, required = [], call }: BoardTool): Tool {
  return {
    description,
    parameters: { type: 'object', additionalProperties: false, required, properties },
    unlisted: true,
    barred: ({ member }) => (member ? undefined : 'only a member of a board has this tool'),
    call: withRefusals(call),
  };
}

/** A tool that the lead alone has. */
export function leadTool(tool: BoardTool): Tool {
  return {
    ...memberTool(tool),
    barred: ({ member }: CallingAgent) => (member?.isLead ? undefined : 'only the lead of a board has this tool'),
  };
}

export function boardOf({ board }: ToolUse): MemberBoard {
  if (!board) throw bug('a tool of members is called by nobody of a board');
  return board;
}

/** The board's decision as the answer of a tool. */
export async function decided(use: ToolUse, request: BoardRequest): Promise<ToolAnswer> {
  return saidAnswer(await boardOf(use).decide(request));
}

export function saidAnswer({ said, refused }: BoardAnswer): ToolAnswer {
  return { text: typeof said === 'string' ? said : jsonText(said), ...defined({ refused }) };
}

type Storing = Pick<ToolUse, 'mask'> & { toolbox: Pick<ToolUse['toolbox'], 'artifacts'> };

/** The text in the store, masked. Refused if it is larger than the description of a task may be. */
export async function storedText({ toolbox, mask }: Storing, what: string, text: string): Promise<ArtifactRef> {
  const shown = mask(text);
  const sizeBytes = Buffer.byteLength(shown);
  if (sizeBytes > DESCRIPTION_BYTES) {
    const limit = `at most ${DESCRIPTION_BYTES / 1024} KiB are allowed`;
    throw new ToolRefusal(`"${what}" has ${sizeBytes} bytes; ${limit}: write it into a file or divide it, and name it here`);
  }
  return await toolbox.artifacts.put(shown, { mediaType: 'text/plain', name: `${what}.md` });
}

/** The text as requests and messages carry it: its beginning, and the whole of a longer one in the store. */
export async function beginning(use: Storing, what: string, text: string): Promise<{ text: string; whole?: ArtifactRef }> {
  const shown = use.mask(text);
  if (shown.length <= SHORT_CHARACTERS) return { text: shown };
  return { text: shortened(shown, SHORT_CHARACTERS), whole: await storedText(use, what, text) };
}

export async function messageContent(
  use: Storing,
  what: string,
  text: string,
): Promise<Pick<BoardMessage, 'content' | 'whole' | 'characters'>> {
  const { text: content, ...whole } = await beginning(use, what, text);
  return { content, ...whole, characters: use.mask(text).length };
}

/** The digits of a digest in the id of a request. */
const DIGITS = 10;

/** Short, since it is repeated in the answer; the same whenever the same call is made again. */
export function requestIdOf({ idempotencyKey }: ToolUse, prefix: string): string {
  return `${prefix}${contentDigest(idempotencyKey).sha256.slice(0, DIGITS)}`;
}

export const TASK_ID = { type: ['integer', 'string'], maxLength: 80, description: 'its number, such as 12 or "#12", or its name' };
