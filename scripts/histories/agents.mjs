// What cases with agents have in common: who they are, and what a script says for them.

export const script = (replies) => `replies:\n${replies}`;
export const AGENTS = `owner: lead
agents:
  lead: {role: Leads., reports_to: boss}
  boss: {role: Decides., reports_to: human}
  w: {role: Writes.}
  r: {role: Reviews.}
`;
export const used = (tokens) => `usage: {input_tokens: ${tokens}, output_tokens: 0, cost_usd: 0.001}`;
