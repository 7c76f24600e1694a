/** Opens the choice of models, which stands in the composer. */
export function openModels(): void {
  const picker = document.querySelector<HTMLSelectElement>('.composer [data-testid=model-picker]')
  picker?.focus()
  picker?.showPicker()
}
