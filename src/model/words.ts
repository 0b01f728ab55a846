/** The words of a name, folded for search: the same function folds what is stored and what is searched for. */

/** Longer words are cut: an entry of PostgreSQL's index holds 2,700 bytes, and one character may become eighteen. */
const longest = 64

/** Nearly all names are plain ASCII, and need no folding. */
const isPlain = /^[\x20-\x7E]*$/
const plainGap = /[^a-z0-9]/
const mark = /^\p{M}/u
const letterOrDigit = /^[\p{L}\p{N}]/u
/** Each such character is a word by itself, as these scripts put no space between words. */
const ideographOrKana = /^[\p{Ideographic}\p{Script=Hiragana}\p{Script=Katakana}\u30FC]/u

const isWhole = (word: string): boolean => word !== '' && word.length <= longest

/** The words in the order of the name, each once; takes time linear in its length. */
export function wordsOf(name: string): string[] {
  if (isPlain.test(name)) {
    const words = name.toLowerCase().split(plainGap)
    // Nearly all names have one or two words. They need no set, which would double the time.
    if (words.length <= 2 && words[0] !== words[1] && words.every(isWhole)) return words
    return [...new Set(words.filter((word) => word !== '').map((word) => word.slice(0, longest)))]
  }
  const words = new Set<string>()
  let word = ''
  let isFull = false
  function end(): void {
    if (word !== '') words.add(word)
    word = ''
    isFull = false
  }
  // Lower case may bring compatibility characters and marks back, and a sigma has two lower cases. Character by character: a
  // pattern for a run of letters overflows the stack when the run is long.
  for (const character of name.normalize('NFKD').toLowerCase().normalize('NFKD').replaceAll('ς', 'σ'))
    if (mark.test(character)) continue
    else if (ideographOrKana.test(character)) {
      end()
      words.add(character)
    } else if (letterOrDigit.test(character)) {
      isFull ||= word.length + character.length > longest
      if (!isFull) word += character
    } else end()
  end()
  return [...words]
}

/** The words of a search without those that another word begins with: they would ask for nothing more. */
export function searchWordsOf(search: string): string[] {
  const words = wordsOf(search).sort()
  return words.filter((word, index) => !words[index + 1]?.startsWith(word))
}
