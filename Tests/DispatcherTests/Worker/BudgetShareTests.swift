import Testing

@testable import Dispatcher

@Suite struct BudgetShareTests {
    @Test("a share gives back what it took, once")
    func release() async {
        let budget = InFlightBudget(capacity: 10)
        let first = await BudgetShare.acquire(6, of: budget)
        let second = await BudgetShare.acquire(4, of: budget)
        first.release()
        first.release()
        await expectAvailable(6, notMore: true, in: budget)
        second.release()
        await expectAvailable(10, notMore: false, in: budget)
    }

    @Test("a split moves a part; each half gives back its own")
    func split() async {
        let budget = InFlightBudget(capacity: 10)
        let whole = await BudgetShare.acquire(10, of: budget)
        let part = whole.split(3)
        whole.release()
        await expectAvailable(7, notMore: true, in: budget)
        part.release()
        await expectAvailable(10, notMore: false, in: budget)
    }

    @Test("a split of more than there is moves what there is")
    func largeSplit() async {
        let budget = InFlightBudget(capacity: 10)
        let whole = await BudgetShare.acquire(4, of: budget)
        let part = whole.split(9)
        whole.release()
        await expectAvailable(6, notMore: true, in: budget)
        part.release()
        await expectAvailable(10, notMore: false, in: budget)
    }

    /// Takes `amount`, and where that must be all, checks that one more has to wait.
    private func expectAvailable(_ amount: Int, notMore: Bool, in budget: InFlightBudget) async {
        await budget.acquire(amount)
        if notMore {
            await withTaskGroup(of: Void.self) { group in
                let granted = Journal<Int>()
                group.addImmediateTask {
                    await budget.acquire(1)
                    granted.add(1)
                    budget.release(1)
                }
                #expect(granted.all.isEmpty)
                budget.release(amount)
            }
        } else {
            budget.release(amount)
        }
    }
}
