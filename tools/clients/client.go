// The Go client of `redocly generate-client`, behind lines of JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"
	api "petstore/api"
)

type reply struct {
	Status int     `json:"status"`
	Data   any     `json:"data,omitempty"`
	Error  any     `json:"error,omitempty"`
	Link   *string `json:"link,omitempty"`
}

type operation func(argument json.RawMessage) (reply, error)

// Of an answer that is no error, the client does not tell the status.
func of[A, T any](status int, run func(context.Context, A) (T, error)) operation {
	return func(argument json.RawMessage) (reply, error) {
		var input A
		if err := json.Unmarshal(argument, &input); err != nil {
			return reply{}, err
		}
		data, err := run(context.Background(), input)
		return reply{Status: status, Data: data}, err
	}
}

func main() {
	client := api.New(api.Config{ServerURL: os.Args[1], Auth: api.Auth{Bearer: func() string { return os.Args[2] }}})
	var link *string
	operations := map[string]operation{
		"listPets": of(200, func(ctx context.Context, params api.ListPetsParams) (api.Pets, error) {
			pets, headers, err := client.ListPetsWithHeaders(ctx, &params)
			link = headers.Link
			return pets, err
		}),
		"createPet":     of(201, client.CreatePet),
		"getPet":        of(200, client.GetPet),
		"placeOrder":    of(201, client.PlaceOrder),
		"completeOrder": of(200, client.CompleteOrder),
		"cancelOrder":   of(200, client.CancelOrder),
	}
	input, output := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for input.More() {
		var call struct {
			Operation string
			Argument  json.RawMessage
		}
		if err := input.Decode(&call); err != nil {
			log.Fatal(err)
		}
		answer, err := operations[call.Operation](call.Argument)
		answer.Link = link
		if refused := (*api.APIError)(nil); errors.As(err, &refused) {
			answer = reply{Status: refused.Status, Error: refused.Body}
		} else if err != nil {
			log.Fatal(err)
		}
		output.Encode(answer)
	}
}
