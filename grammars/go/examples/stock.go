// Package stock counts things.
package stock

import (
	"errors"
	"fmt"
)

const (
	Limit = 1 << iota
	Other
)

var empty, full = errors.New("empty"), map[string]int{"a": 1, "b": 2}

// Item is a thing.
type Item struct {
	Name  string `json:"name"`
	Count int
	*Place
}

type Counter interface {
	Count(name string) (int, error)
}

type Number interface{ ~int | ~float64 }

func (item *Item) Add(n int) error {
	if n < 0 || item == nil {
		return fmt.Errorf("bad count %d: %w", n, empty)
	} else if n == 0 {
		return nil
	}
	item.Count += n
	return nil
}

func Sum[T Number](first T, rest ...T) (total T) {
	total = first
	for i, value := range rest {
		total += value * T(i)
	}
	return
}

func run(items []Item, done chan<- bool) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println("recovered", r)
		}
	}()
	for i := 0; i < len(items); i++ {
		go items[i].Add(i % 3)
	}
	switch n := len(items[1:2]); {
	case n > 0x10:
		done <- true
	default:
		x := []int{1, 2, 3}
		_, ok := full["a"]
		done <- ok && x[0] != 'c'
	}
	select {
	case done <- !false:
	}
}
