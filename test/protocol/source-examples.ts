import type { Json } from '../../plan/text/json';

/** The protocol's examples, word for word: `a|b` lists the words of a field, `...` is any text. */
export const EXAMPLES: Readonly<Record<string, Json>> = {
  Finance_Research_Brief: {
    date: '2026-04-10',
    market: 'BTC/USDT',
    macro_summary: '...',
    key_events: [{ event: '...', impact: 'bullish|bearish|neutral', source: '...' }],
    sentiment: { overall: 'bullish|bearish|neutral', score: 0.0 },
    data_sources: ['...'],
  },
  Market_Structure_Report: {
    date: '2026-04-10',
    market: 'BTC/USDT',
    timeframes_analyzed: ['H4', 'H1'],
    structure: {
      trend: 'bullish|bearish|ranging',
      mss_detected: true,
      key_levels: [{ type: 'OB|FVG|POI|support|resistance', price: 0, timeframe: 'H4', tested: false }],
    },
    liquidity_zones: [{ type: 'buy_side|sell_side', range: [0, 0], significance: 'high|medium|low' }],
  },
  Bullish_Brief: brief(),
  Bearish_Brief: brief(),
  Strategy_Thesis: {
    date: '2026-04-10',
    market: 'BTC/USDT',
    direction: 'long|short|neutral',
    thesis: '收斂後的策略論點',
    entry_zone: [0, 0],
    stop_loss: 0,
    take_profit: [0, 0],
    risk_reward: 0.0,
    position_size_pct: 0.0,
    risk_assessment: { max_drawdown_pct: 0.0, bias_check: 'confirmed|conflicting', bull_confidence: 0.0, bear_confidence: 0.0 },
    invalidation: '...',
    requires_backtest: true,
  },
  Review_Report: {
    date: '2026-04-10',
    reviewed_artifact: 'Strategy_Thesis.json',
    verdict: 'pass|revise|block',
    score: 0.0,
    issues: [{ severity: 'critical|major|minor', field: '...', description: '...', suggestion: '...' }],
    revise_target: 'quant_strategist|bullish_researcher|...',
    summary: '...',
  },
  Data_Analysis_Report: {
    date: '2026-04-10',
    analyzed_artifact: 'Backtest_Delivery.json',
    metrics: { total_trades: 0, win_rate: 0.0, profit_factor: 0.0, max_drawdown_pct: 0.0, sharpe_ratio: 0.0, avg_rr: 0.0 },
    insights: ['...'],
    recommendation: 'proceed|adjust|reject',
    summary: '...',
  },
};

function brief(): Json {
  return {
    date: '2026-04-10',
    market: 'BTC/USDT',
    thesis: '核心論點（一句話）',
    arguments: [{ point: '...', evidence: '...', confidence: 0.0 }],
    key_levels: [{ type: 'support|resistance', price: 0, timeframe: 'H4', evidence: '...' }],
    catalysts: ['...'],
    invalidation: '什麼條件下論點失效',
    confidence: 0.0,
    data_sources: ['...'],
  };
}

/** The protocol's examples of messages (4.3 and 4.4). */
export const DELIVERY = {
  from: 'bullish_researcher',
  to: 'quant_strategist',
  intent: 'deliver_report',
  ref_task: 'quant-pipeline-2026-04-10',
  payload: { $ref: 'Bullish_Brief.json' },
  expect_response: false,
};

export const CLARIFICATION = {
  from: 'quant_strategist',
  to: 'bullish_researcher',
  intent: 'request_clarification',
  ref_task: 'quant-pipeline-2026-04-10',
  payload: {
    previous_report: { $ref: 'Bullish_Brief.json' },
    missing_fields: ['key_levels[].evidence', 'invalidation'],
    question: '你提到 OB 支撐，請補充具體價位與時間框架',
  },
};
