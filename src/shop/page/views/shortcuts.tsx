/** Explains the keys, and lets the user turn the shortcuts of single letters off. */
import { Sheet } from '../parts/sheet.tsx'
import { hasShortcuts, setShortcuts } from '../state/preferences.ts'

const always = [
  ['↓', 'From the search to what was found'],
  ['↑ ↓', 'Go from row to row'],
  ['Enter', 'Open the row; in the search, the first'],
  ['Ctrl Z', 'Undo what was just done'],
  ['Esc', 'Close, or clear the search'],
]
const single = [
  ['/', 'Search'],
  ['r', 'Reserve the animal'],
  ['s', 'Sell the animal'],
  ['n', 'Add an animal'],
  ['1 2 3', 'Animals, orders, report'],
  ['?', 'This sheet'],
]

const Keys = ({ of }: { of: readonly (readonly string[])[] }) => (
  <dl class="shortcuts">
    {of.map(([keys, meaning]) => (
      <div key={keys}>
        <dt>
          <kbd>{keys}</kbd>
        </dt>
        <dd>{meaning}</dd>
      </div>
    ))}
  </dl>
)

export const ShortcutsSheet = ({ onClose }: { onClose: () => void }) => (
  <Sheet title="Keyboard" onClose={onClose}>
    <Keys of={always} />
    <label class="remember">
      <input
        type="checkbox"
        checked={hasShortcuts.value}
        onChange={({ currentTarget }) => setShortcuts(currentTarget.checked)}
      />
      Single letters and digits are shortcuts, too
    </label>
    {hasShortcuts.value && <Keys of={single} />}
  </Sheet>
)
