// The common parts of cases with agents: who they are, and the script's replies for them.

export const script = (replies) => `replies:\n${replies}`;
export const AGENTS = `owner: lead
agents:
  lead: {role: Leads., reports_to: boss}
  boss: {role: Decides., reports_to: human}
  w: {role: Writes.}
  r: {role: Reviews.}
`;
export const used = (tokens) => `usage: {input_tokens: ${tokens}, output_tokens: 0, cost_usd: 0.001}`;
