// What the table says, in one place: whose turn it is, why not, a hint, a draw near, the result. Words and buttons only; table.js draws them.
import { levelName, openingName } from './facts.js';
import { has, pretty, t } from './words.js';

/** @import { Counter, Side, State, Why } from './link.js' */
/** @import { Move } from '../board/moves.js' */
/** What lies open on the table besides the game itself.
 * @typedef {{online: boolean, gone: boolean, shown: number | null, me: Side | null, why: {answer: Why, path: string[]} | null, hint: Move | null, resigning: Side | null,
 *   declined: boolean, progress: string[] | null, sole: string, failed: string}} Open */
/** @typedef {{label: string, act: string, main?: boolean, arg?: string}} Button */
/** @typedef {{good: boolean, text: string, label: string, count: number | null, unit: string}} Row */
/** `to` is the side that is spoken to, when two sit at one screen; null speaks to both. `aside` is for the other one.
 * @typedef {{title: string, body?: string, more?: string, rows?: Row[], fine?: string, read?: boolean, no?: boolean, buttons?: Button[], to?: Side | null, aside?: string}} Speech */

/** A draw so near is spoken of. */
const NEAR = 10;

/** @param {Side} side @returns {Side} */
export const other = side => side === 'white' ? 'black' : 'white';

/** Whether every legal move is a capture. @param {State} state */
export const mustCapture = ({ moves }) => moves.length > 0 && moves.every(m => m.captured.length > 0);

/** Whether a person is to move. @param {State} state */
export const toMove = state => !state.result && state.seats[state.side].kind === 'person';

/** @param {State} state @param {Open} open @returns {Speech} */
export function speak(state, open) {
  const speech = about(state, open);
  // A full disk is not kept secret, but the game goes on.
  return state.saved === false ? { ...speech, fine: t('page.unsaved') } : speech;
}

/** @param {State} state @param {Open} open @returns {Speech} */
function about(state, open) {
  const to = state.side;
  if (open.gone) return gone();
  if (!open.online) return { title: t('page.offline'), body: t('page.offline.about'), no: true, to: null };
  if (open.shown !== null) return past(open.shown);
  if (open.failed) return { title: t('page.error'), body: open.failed, no: true, to, buttons: [{ label: t('page.why.ok'), act: 'dismiss' }] };
  if (open.resigning) return resigning(open.resigning);
  if (state.result) return result(state, open);
  if (open.why) return { ...why(open.why.answer, open.why.path), to };
  if (state.offer) return offer(state);
  if (open.hint) return { title: t('page.hint.lead', { move: pretty(open.hint.text) }), body: t('page.hint.about'), to };
  if (!toMove(state)) return waiting(state, open);
  if (open.progress) return { ...turn(state, open), fine: t('page.progress', { move: open.progress.join(' › ') }), more: t('page.progress.back'), to };
  if (open.declined) return { title: t('page.declined'), body: t('page.declined.about'), to };
  if (state.claimable.length) return claim(state);
  return { ...turn(state, open), to };
}

/** @returns {Speech} */
export function gone() {
  return { title: t('page.gone'), body: t('page.gone.about'), no: true, to: null, buttons: [{ label: t('page.newgame'), act: 'leave', main: true }] };
}

/** @param {number} ply @returns {Speech} */
function past(ply) {
  return {
    title: ply ? t('page.past', { n: Math.ceil(ply / 2) }) : t('page.past.start'), body: t('page.past.about'), to: null,
    buttons: [{ label: t('page.past.live'), act: 'live', main: true }],
  };
}

/** @param {Side} side @returns {Speech} */
function resigning(side) {
  return {
    title: t('page.resign.sure'), body: t('page.resign.about'), no: true, to: side,
    buttons: [{ label: t('page.resign.yes'), act: 'resign-yes', arg: side, main: true }, { label: t('page.resign.no'), act: 'dismiss' }],
  };
}

/** @param {State} state @param {Open} open @returns {Speech} */
function result(state, { me }) {
  const winner = state.result?.winner;
  const title = !winner ? t('page.drawn') : !me ? t(`page.won.${winner}`) : state.seats[winner].kind === 'person' ? t('page.won.you') : t('page.won.computer');
  return {
    title, body: endWords(state, me), fine: t('page.rematch.about'), to: null,
    buttons: [{ label: t('page.rematch'), act: 'rematch', main: true }, { label: t('page.newgame'), act: 'leave' }],
  };
}

/** What a clause counts; those of home-made rules have no words of their own. @param {string} clause */
export const clauseWords = clause => t(has(`clause.${clause}`) ? `clause.${clause}` : 'clause.custom');

/** Why the game is over. @param {State} state @param {Side | null} me */
function endWords({ result, rules }, me) {
  const { winner, clause } = result ?? { winner: null, clause: '' };
  if (clause === 'resigned' && winner) {
    const loser = other(winner);
    return t(`page.resigned.${me === loser ? 'you' : loser}`);
  }
  return t(has(`end.${clause}`) ? `end.${clause}` : 'end.custom', { n: rules.draws.find(d => d.clause === clause)?.limit });
}

/** What each reason counts, where it counts anything: the two figures stand side by side. @type {Record<string, string>} */
const UNITS = { 'too-few': 'page.why.pieces', 'must-capture': 'page.why.pieces', 'must-finish': 'page.why.pieces', 'fewer-kings': 'page.why.kings' };

/** A capture with all its landings, so that it can be followed on the board. @param {Move} move */
const fully = ({ text, path, captured }) => pretty(captured.length ? path.join(text.includes(':') ? ':' : 'x') : text);

/** @param {Why} answer @param {string[]} path the attempt, as it was touched @returns {Speech} */
function why(answer, path) {
  const { reason, square, better, yours } = answer;
  const [best] = better;
  const mine = yours ? fully(yours) : path.length > 1 ? path.join('-') : '';
  const unit = UNITS[reason];
  const kings = reason === 'fewer-kings';
  const n = answer.n ?? (kings ? null : yours?.captured.length ?? 0);
  const m = answer.m ?? (kings ? null : best?.captured.length ?? null);
  /** @type {Row[]} */
  const rows = best ? [
    ...mine ? [{ good: false, text: mine, label: t('page.why.yours'), count: unit ? n : null, unit: unit ? t(unit, { n }) : '' }] : [],
    { good: true, text: fully(best), label: t('page.why.better'), count: unit ? m : null, unit: unit ? t(unit, { n: m }) : '' },
  ] : [];
  return {
    title: t('page.why'), no: true, rows, read: true,
    body: t(`why.${reason}`, { n: answer.n ?? m, m, square: square ?? path.at(-1) }),
    more: better.length > 1 ? t('page.why.more', { n: better.length - 1 }) : '',
  };
}

/** @param {State} state @returns {Speech} */
function offer({ offer, seats, side }) {
  const from = offer ?? side;
  if (seats[other(from)].kind !== 'person') return { title: t('page.offered.wait') };
  return {
    title: t(`page.offered.${from}`), to: other(from), aside: t('page.offered.wait'),
    buttons: [{ label: t('page.accept'), act: 'accept', main: true }, { label: t('page.decline'), act: 'decline' }],
  };
}

/** @param {State} state @param {Open} open @returns {Speech} */
function waiting({ seats, side }, { declined }) {
  const { level } = seats[side];
  return { title: t('page.thinking'), body: declined ? t('page.declined') : level ? levelName(level) : t('page.thinking.best') };
}

/** @param {State} state @returns {Speech} */
function claim({ claimable, side }) {
  return {
    title: t('page.claim'), body: clauseWords(claimable[0]), to: side,
    buttons: claimable.map((clause, i) => ({ label: i ? `${t('page.claim.go')}: ${clauseWords(clause)}` : t('page.claim.go'), act: 'claim', arg: clause, main: !i })),
  };
}

/** @param {Counter} c */
const left = c => c.limit - c.count;

/** Whether occurrences of the position are counted, those to come perhaps too. @param {Counter} c */
const repeats = c => c.kind.startsWith('repetition');

/** The counts that have begun, the nearest to its end first. One occurrence of a position is no count yet. @param {State} state */
export const running = ({ counters }) => counters.filter(c => c.count > (repeats(c) ? 1 : 0)).sort((a, b) => left(a) - left(b));

/** The count that will end the game soonest, if soon. @param {State} state */
function nearest(state) {
  const [first] = running(state).filter(c => !repeats(c));
  return first && left(first) <= Math.min(NEAR, Math.ceil(first.limit / 2)) ? first : null;
}

/** A person is to move. @param {State} state @param {Open} open @returns {Speech} */
function turn(state, open) {
  const speech = ownTurn(state, open);
  // The opening is named when the players take over.
  return state.opening && state.ply <= state.opening.plies + 1 ? { ...speech, body: [openingName(state) + '.', speech.body].join(' ') } : speech;
}

/** @param {State} state @param {Open} open @returns {Speech} */
function ownTurn(state, open) {
  const how = state.ply < 2 ? t('page.turn.how') : '';
  if (open.sole === 'ask' && state.moves.length === 1) {
    const move = pretty(state.moves[0].text);
    return { title: t('page.sole'), body: mustCapture(state) ? duty(state) : '', buttons: [{ label: t('page.sole.play', { move }), act: 'sole', main: true }] };
  }
  if (mustCapture(state)) return { title: t('page.must'), body: duty(state), fine: how };
  const near = nearest(state);
  if (near) {
    return { title: t('page.near', { n: left(near) }), body: clauseWords(near.clause), fine: t(`page.near.${near.mode === 'claim' ? 'claim' : 'about'}`) };
  }
  const last = state.history.at(-1);
  const begins = state.ply === 0 && open.me === state.side ? t('page.turn.first') : last ? t('page.played', { move: pretty(last.text) }) : '';
  return {
    title: t('page.turn.you'),
    body: state.moves.some(m => m.captured.length) ? t('page.free') : begins, fine: how,
  };
}

/** @param {State} state */
function duty({ moves, board, rules }) {
  if (moves.length > 1) return t('page.must.choice', { n: moves.length });
  const [{ from, to, captured }] = moves;
  const letter = board[rules.board.squares.findIndex(s => s.n === from)];
  return t(`page.must.${letter < 'a' ? 'king' : 'man'}`, { n: captured.length, from, to });
}
