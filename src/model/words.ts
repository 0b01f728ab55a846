/** Splits a name into the words by which animals are searched. Both databases use the same words. */

/**
 * Longer words are cut: an entry of PostgreSQL's index holds 2,700 bytes, and folding may turn one character into
 * eighteen.
 */
const wordLengthMax = 64

/**
 * How long a name may become by folding; what is beyond is not searched. Accents and Hangul make a name of 1,024
 * characters at most three times as long, but the ligature ﷺ eighteen times, which would take 7 ms.
 */
const foldedLengthMax = 4_096

/** Nearly all names are plain ASCII, and need no folding. */
const plainName = /^[\x20-\x7E]*$/
const plainGap = /[^a-z0-9]/
/** Marks include the letters ʻ ʼ ʽ ʾ ʿ, which most people omit as they omit accents. */
const mark = /^[\p{M}\u02BB-\u02BF]/u
const letterOrDigit = /^[\p{L}\p{N}]/u
/** Each such character is a word by itself, because these scripts put no spaces between words. */
const ideographOrKana = /^[\p{Ideographic}\p{Script=Hiragana}\p{Script=Katakana}\u30FC]/u

/**
 * Letters that Unicode does not decompose, by what they are in plain ASCII: those of the Unicode transliteration
 * Latin-ASCII, such as letters with a stroke, and ligatures. And the final sigma.
 */
const plain = new Map(
  Object.entries({
    a: 'ᴀᶏⱥ',
    aa: 'ꜳ',
    ae: 'æᴁ',
    ao: 'ꜵ',
    au: 'ꜷ',
    av: 'ꜹꜻ',
    ay: 'ꜽ',
    b: 'ƀƃɓʙᴃᵬᶀ',
    c: 'ƈȼɕᴄꞓ',
    d: 'ðđƌȡɖɗᴅᴆᵭᶁᶑꝱꝺ',
    db: 'ȸ',
    dz: 'ʣʥ',
    e: 'ɇɛᴇᶒᶓⱸ',
    f: 'ƒᵮᶂꜰꝼ',
    g: 'ǥɠɡɢʛᶃꞡ',
    h: 'ħɦɧʜⱨ',
    hv: 'ƕ',
    i: 'ıɨɩɪᵻᶖ',
    j: 'ȷɉɟʝᴊ',
    k: 'ƙᴋᶄⱪꝁꝃꝅꞣ',
    l: 'łƚȴɫɬɭʟᴌᶅⱡꝇꝉꝲ',
    ll: 'ỻ',
    ls: 'ʪ',
    lz: 'ʫ',
    m: 'ɱᴍᵯᶆꝳ',
    n: 'ŋƞȵɲɳɴᵰᶇꝴꞑꞥ',
    o: 'øᴏⱺꝋꝍ',
    oe: 'œɶ',
    oi: 'ƣ',
    oo: 'ꝏ',
    p: 'ƥᴘᵱᵽᶈꝑꝓꝕ',
    q: 'ĸʠꝗꝙ',
    qp: 'ȹ',
    r: 'ɍɼɽɾʀᵲᵳᶉꝵꝶꞧ',
    s: 'ȿʂᵴᶊẜẝꜱꞩ',
    ss: 'ß',
    t: 'ŧƫƭȶʈᴛᵵⱦꝷꞇ',
    th: 'þᵺꝥꝧ',
    ts: 'ʦ',
    u: 'ʉᴜᵾᶙ',
    ue: 'ᵫ',
    v: 'ʋᴠᶌỽⱱⱴꝟ',
    vy: 'ꝡ',
    w: 'ᴡⱳ',
    x: 'ᶍ',
    y: 'ƴɏʏỿ',
    z: 'ƶȥɀʐʑᴢᵶᶎⱬ',
    σ: 'ς',
  }).flatMap(([ascii, letters]) => [...letters].map((letter) => [letter, ascii])),
)
const plainLetters = (text: string): string =>
  // Catalan writes a long l as l·l.
  text.replace(/l·(?=l)/g, 'l').replace(/[^\0-\x7F]/gu, (character) => plain.get(character) ?? character)

/** The words of a name in their order, including repeated words. */
function allWordsOf(name: string): string[] {
  const words: string[] = []
  if (plainName.test(name)) {
    for (const part of name.toLowerCase().split(plainGap)) if (part !== '') words.push(part.slice(0, wordLengthMax))
    return words
  }
  let word = ''
  let isFull = false
  function end(): void {
    if (word !== '') words.push(word)
    word = ''
    isFull = false
  }
  // Normalized again after toLowerCase, which may produce marks and compatibility characters. Read character by
  // character: a regular expression for a run of letters overflows the stack if the run is long.
  const folded = name.normalize('NFKD').slice(0, foldedLengthMax).toLowerCase().normalize('NFKD')
  for (const character of plainLetters(folded))
    if (mark.test(character)) continue
    else if (ideographOrKana.test(character)) {
      end()
      words.push(character)
    } else if (letterOrDigit.test(character)) {
      isFull ||= word.length + character.length > wordLengthMax
      if (!isFull) word += character
    } else end()
  end()
  return words
}

/** The words of a name, each once: folded in the same way when they are stored and when they are searched for. */
export function wordsOf(name: string): string[] {
  const words = allWordsOf(name)
  return words.length < 2 ? words : [...new Set(words)]
}

/** The words of a text as a column holds them, separated by spaces; '' if there is no text. */
export const storedWordsOf = (text: string | null | undefined): string =>
  text === null || text === undefined ? '' : wordsOf(text).join(' ')

/**
 * Whether these words certainly contain all letters and digits of the name, because none was cut off. A word is cut
 * before a character of two code units.
 */
const areWhole = (words: readonly string[], name: string): boolean =>
  words.every(({ length }) => length < wordLengthMax - 1) && name.normalize('NFKD').length <= foldedLengthMax

/**
 * The text by which names of categories are compared: all their words, including repeated words. It is '' if a name has
 * no words or if a word was cut off. Such names are compared as they are written.
 */
export function categoryWordsOf(name: string | null | undefined): string {
  if (name === null || name === undefined) return ''
  const words = allWordsOf(name)
  return areWhole(words, name) ? words.join(' ') : ''
}

/** The words of a search, without those that another word begins with: each matches wherever the longer word does. */
export function searchWordsOf(search: string): string[] {
  const words = wordsOf(search).sort()
  return words.filter((word, index) => !words[index + 1]?.startsWith(word))
}
