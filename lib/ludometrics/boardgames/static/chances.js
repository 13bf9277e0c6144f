// Chances at one table, by the same sums as `ludometrics.boardgames.table`: a seat's result is its rating with Gumbel
// noise (Plackett and Luce), and what is not known of the rating is noise on top.

const Q = Math.LN10 / 400;
/** A normal deviation beyond the least of the table, shrunk so that two seats get Glickman's expectancy. */
const SHRINK = 0.89;
const STEP = 0.25;
const NORMAL_STEP = 0.5;
const NORMAL_ENDS = 9;

/** Points and weights of a standard normal, close enough together for a deviation of this size. */
function normalNodes(spread) {
  if (spread === 0) return [[0, 1]];
  const step = Math.min(NORMAL_STEP, STEP / spread);
  const half = Math.ceil(NORMAL_ENDS / step);
  const nodes = Array.from({ length: 2 * half + 1 }, (_, at) => step * (at - half));
  const heights = nodes.map((node) => Math.exp(-0.5 * node * node));
  const sum = heights.reduce((total, height) => total + height, 0);
  return nodes.map((node, at) => [node, heights[at] / sum]);
}

/** Density and distribution function at x of a place with Gumbel and normal noise. */
function noiseAt(x, place, spread, nodes) {
  let density = 0;
  let below = 0;
  for (const [node, weight] of nodes) {
    const rare = Math.exp(-Math.max(x - place - spread * node, -50));
    const under = Math.exp(-rare) * weight;
    below += under;
    density += under * rare;
  }
  return [density, below];
}

/** Chance of each seat to finish first. */
function winChances(ratings, deviations) {
  const errors = deviations.map((deviation) => Q * deviation);
  const shared = Math.min(...errors);
  const noise = Math.sqrt(1 + (6 * shared * shared) / Math.PI ** 2);
  const best = Math.max(...ratings);
  const places = ratings.map((rating) => (Q * (rating - best)) / noise);
  const spreads = errors.map(
    (error) => (SHRINK * Math.sqrt(Math.max(error * error - shared * shared, 0))) / noise,
  );
  const nodes = spreads.map(normalNodes);
  const low = Math.max(...places.map((place, i) => place - NORMAL_ENDS * spreads[i])) - 4;
  const high = Math.max(...places.map((place, i) => place + NORMAL_ENDS * spreads[i])) + 40;
  const chances = ratings.map(() => 0);
  for (let x = low; x < high + STEP; x += STEP) {
    const seats = places.map((place, i) => noiseAt(x, place, spreads[i], nodes[i]));
    seats.forEach(([density], i) => {
      chances[i] += seats.reduce((product, [, below], j) => (j === i ? product : product * below), density);
    });
  }
  const sum = chances.reduce((total, chance) => total + chance, 0);
  return chances.map((chance) => chance / sum);
}

/** Glickman's expectancy between two seats. */
function aheadChance(rating, deviation, otherRating, otherDeviation) {
  const spread = 1 + (3 * Q * Q * (deviation ** 2 + otherDeviation ** 2)) / Math.PI ** 2;
  return 1 / (1 + 10 ** ((otherRating - rating) / Math.sqrt(spread) / 400));
}

const LATTICE_POINTS = 1024;

/** The root of x^(d+1) = x + 1 above 1: its powers step through d dimensions evenly. */
function evenStep(dimensions) {
  let root = 2;
  for (let round = 0; round < 60; round += 1) root = (1 + root) ** (1 / (dimensions + 1));
  return root;
}

/**
 * Where each seat's chance would lie, nine times in ten, were the strengths known: its 5 % and 95 % points
 * over a lattice of strengths, the same on every device.
 */
function chanceRanges(ratings, deviations) {
  const n = ratings.length;
  const root = evenStep(n + (n % 2));
  const shares = ratings.map(() => new Float64Array(LATTICE_POINTS));
  for (let row = 0; row < LATTICE_POINTS; row += 1) {
    const even = (dimension) => (0.5 + (row + 1) * root ** -(dimension + 1)) % 1;
    const strengths = ratings.map((rating, i) => {
      // Two even numbers make two normal ones (Box and Muller).
      const pair = i - (i % 2);
      const length = Math.sqrt(-2 * Math.log(1 - even(pair)));
      const angle = 2 * Math.PI * even(pair + 1);
      return (
        10 **
        ((rating - ratings[0] + deviations[i] * length * (i % 2 ? Math.sin(angle) : Math.cos(angle))) / 400)
      );
    });
    const sum = strengths.reduce((total, strength) => total + strength, 0);
    strengths.forEach((strength, i) => {
      shares[i][row] = strength / sum;
    });
  }
  const at = (values, part) => values.sort()[Math.floor(part * LATTICE_POINTS)];
  return shares.map((own) => [at(own, 0.05), at(own, 0.95)]);
}

/**
 * Chances of a table: `win` (to finish first), `ranges` (of `win`), `ahead[i][j]` (that i is ahead of j) and
 * `place` (the place to be expected).
 */
function tableChances(ratings, deviations) {
  const ahead = ratings.map((rating, i) =>
    ratings.map((other, j) => aheadChance(rating, deviations[i], other, deviations[j])),
  );
  return {
    win: winChances(ratings, deviations),
    ranges: chanceRanges(ratings, deviations),
    ahead,
    place: ahead.map((row, i) => 1 + row.reduce((sum, chance, j) => sum + (j === i ? 0 : 1 - chance), 0)),
  };
}
