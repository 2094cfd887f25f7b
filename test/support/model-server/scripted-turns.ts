import { defaultTurn, isFault, type ModelRequest, type Script, type Turn } from './turn.js';

/** Chooses the turn for each request, see Script. */
export class ScriptedTurns {
  readonly #script: Script;
  readonly #usedUp = new Set<Turn>();
  /** Some programs begin each conversation with words that they put into the model's mouth. */
  #firstRound: number | undefined;

  constructor(script: Script) {
    this.#script = script;
  }

  next(request: ModelRequest): Turn {
    if (typeof this.#script === 'function') return this.#script(request) ?? defaultTurn;
    if (request.tools.length === 0) return defaultTurn;
    this.#firstRound ??= request.round;
    return this.#turnOf(this.#script, request.round - this.#firstRound) ?? defaultTurn;
  }

  #turnOf(turns: readonly Turn[], round: number): Turn | undefined {
    let answers = 0;
    for (const turn of turns) {
      if (answers === round && !this.#usedUp.has(turn)) {
        if (isFault(turn)) this.#usedUp.add(turn);
        return turn;
      }
      if (!isFault(turn)) answers++;
    }
    return undefined;
  }
}
